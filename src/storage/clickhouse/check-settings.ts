import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { TracingError } from '../../protocol/error.ts';
import type { Address } from './address.ts';
import { codeOf, reasonOf } from './failure.ts';

/** Of a setting that a profile does not leave to its users, or of a user who may set none. */
const FORBIDDEN: readonly string[] = ['452', '164'];

/** Who starts a service waits so long for each answer. */
const ANSWER_MS = 10_000;

/**
 * May our statements say their settings? Throws `invalid_configuration` with all that the profile of the user forbids: a server
 * names one, and only at the first statement that says it, which may be a write of hours later.
 */
export async function checkSettings(
  client: ClickHouseClient,
  settings: ClickHouseSettings,
  { shown, user }: Address,
): Promise<void> {
  const cause = await refusalOf(client, settings);
  if (cause === undefined) return;
  const forbidden: string[] = [];
  for (const [name, value] of Object.entries(settings)) {
    if ((await refusalOf(client, { [name]: value })) !== undefined) forbidden.push(`${name} = ${String(value)}`);
  }
  const named = forbidden.length === 0 ? reasonOf(cause) : forbidden.join(', ');
  throw new TracingError(
    'invalid_configuration',
    `Cannot use ClickHouse at ${shown}: the profile of the user "${user}" forbids settings that statements say; take its constraints away, or allow ${named}`,
    { cause },
  );
}

/** The server's word against these settings. Rejects with any other failure. */
async function refusalOf(client: ClickHouseClient, settings: ClickHouseSettings): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await client.query({
      query: 'SELECT 1',
      format: 'JSONEachRow',
      abort_signal: signal,
      clickhouse_settings: settings,
    });
    await answer.text();
    return undefined;
  } catch (error) {
    if (FORBIDDEN.includes(codeOf(error))) return error;
    throw error;
  }
}
