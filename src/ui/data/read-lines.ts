/** Reads JSON, one value a line, as it comes. @param onCount told how many have come, while they come */
export async function readLines<Line>(answer: Response, onCount?: (count: number) => void): Promise<Line[]> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const lines: Line[] = [];
  let rest = '';
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    const [last = '', ...whole] = (rest + part.value).split('\n').reverse();
    rest = last;
    lines.push(...whole.reverse().flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Line))));
    onCount?.(lines.length);
  }
  return rest === '' ? lines : [...lines, JSON.parse(rest) as Line];
}
