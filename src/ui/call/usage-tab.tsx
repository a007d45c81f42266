import { Fragment, type ReactElement } from 'react';
import { formatCount } from '../format/count.ts';
import { formatMoney } from '../format/money.ts';
import { showControls } from '../json/show-controls.ts';
import classes from './call-detail.module.css';
import { useCallsBelow } from './calls-below.ts';
import { type UsageRow, usageRows } from './usage-rows.ts';

/** Tokens by model and bucket, with what they cost; a model without a price is named, not free. */
export function UsageTab({ summary }: { readonly summary: Readonly<Record<string, unknown>> }): ReactElement {
  const rows = usageRows(summary);
  // One call asks a model once: more of them were asked by calls below it.
  const isOfOthers = rows.reduce((sum, { requests }) => sum + requests, 0) > 1;
  const below = useCallsBelow();
  const hasBelow = below === undefined ? isOfOthers : below > 0;
  return (
    <section className={classes.part}>
      <table className={classes.usage}>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Tokens</th>
            <th scope="col">Price per million</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ModelRows key={row.model} row={row} />
          ))}
        </tbody>
      </table>
      {hasBelow && <p className="faint">Calls below this one are included.</p>}
    </section>
  );
}

const MILLION = 1_000_000;

function ModelRows({ row }: { readonly row: UsageRow }): ReactElement {
  return (
    <Fragment>
      <tr className={classes.modelRow}>
        <th scope="row">{showControls(row.model)}</th>
        <td>{formatCount(row.total)}</td>
        <td />
        <td>{costText(row)}</td>
      </tr>
      {row.buckets.map(({ name, tokens, price, cost }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>{formatCount(tokens)}</td>
          <td>{price === undefined ? '–' : formatMoney(price * MILLION)}</td>
          <td>{cost === undefined ? '–' : formatMoney(cost)}</td>
        </tr>
      ))}
    </Fragment>
  );
}

function costText({ cost, isUnpriced, isEstimate }: UsageRow): ReactElement | string {
  if (isUnpriced) return <span className="warn">no price</span>;
  if (cost === undefined) return '–';
  const text = cost.currency === 'USD' ? formatMoney(cost.amount) : `${cost.amount} ${cost.currency}`;
  return isEstimate ? `about ${text}` : text;
}
