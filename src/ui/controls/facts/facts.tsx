import type { ReactElement, ReactNode } from 'react';
import classes from './facts.module.css';
import { MoreFacts } from './more-facts.tsx';
import { useFitting } from './use-fitting.ts';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** Numbers with their names above them, side by side; those that have no room there stand behind `⋯`. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }): ReactElement {
  const { ref, count } = useFitting(facts.map(({ name }) => name));
  const rest = facts.slice(count);
  return (
    <div ref={ref} className={`${classes.line} ${classes.named}`}>
      <dl>
        {facts.map(({ name, value }, index) => (
          <div key={name} data-fact={name} className={index < count ? undefined : classes.hidden}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {rest.length > 0 && (
        <MoreFacts>
          <dl data-first tabIndex={-1}>
            {rest.map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </MoreFacts>
      )}
    </div>
  );
}
