import type { TableCreateRequest } from '../../../protocol/table.ts';
import type { ReceivedBody } from '../../http/body/request-body.ts';
import { type PortionedReading, readInPortions } from '../../http/body/read-in-portions.ts';
import type { PortionedTable } from '../../../storage/packed/portioned-table.ts';
import { storeTable } from '../objects/create-table.ts';
import type { WriteExchange } from '../write-requests.ts';
import type { WriteStores } from '../write-stores.ts';
import { letGo } from './let-go.ts';

/** A body whose memory is nobody else's. */
interface OwnBody extends ReceivedBody {
  readonly bytes: Buffer<ArrayBuffer>;
}

/**
 * A new table, of whose rows only a portion is in memory as values. `undefined` where they are not found in the body, of
 * which nothing is left otherwise: it is not there beside its rows while these are written.
 */
export async function storeTableOf(
  body: OwnBody,
  reading: Pick<PortionedReading, 'limits' | 'check'>,
  { tables }: Pick<WriteStores, 'tables'>,
  exchange: WriteExchange,
): Promise<PortionedTable | undefined> {
  const read = readInPortions(body, { ...reading, keys: ['table', 'rows'], others: { project_id: '' } });
  if (!read) return undefined;
  // The check has seen that the body has this shape.
  const { table } = read.rest as unknown as TableCreateRequest;
  const portions = andThen(read.portions, () => letGo(body.bytes.buffer));
  return await storeTable(tables, { table, portions }, exchange);
}

function* andThen<Item>(items: Iterable<Item>, run: () => void): Generator<Item> {
  yield* items;
  run();
}
