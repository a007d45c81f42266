/** Longer ones are not handed over as they are. */
const SHORT_BYTES = 4096;

/** As much of the attributes as overviews need, as JSON text: large ones stay in the database. */
export const shortAttributes = shortened('s.attributes', ['kind', 'provider', 'host', 'system']);

/** The same of the summary. */
export const shortSummary = shortened('e.summary', ['usage', 'attributes', 'providers', 'stream', 'status_counts']);

function shortened(body: string, members: readonly string[]): string {
  const kept = members.map((member) => `'${member}', ${body} -> '$.${member}'`);
  return `CASE WHEN octet_length(${body}) <= ${SHORT_BYTES} THEN ${body} ELSE json_object(${kept.join(', ')}) END`;
}
