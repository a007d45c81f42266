import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';

/**
 * A source map that leads to lines: who reads a stack wants these, and the places of all words within them are most of a map. Of
 * what stands on one line of the code, the first word of each line of the sources is kept.
 */
export function mapOfLines(text: string): string {
  const map = JSON.parse(text) as { readonly mappings: string };
  const lines = decode(map.mappings).map((line) =>
    line.filter((segment, index) => !isOfSameLine(segment, line[index - 1])).map(withoutName),
  );
  return JSON.stringify({ ...map, mappings: encode(lines), names: [] });
}

function isOfSameLine([, file, line]: SourceMapSegment, before: SourceMapSegment | undefined): boolean {
  return before !== undefined && before[1] === file && before[2] === line;
}

/** Names are those of the sources. */
function withoutName([column, ...place]: SourceMapSegment): SourceMapSegment {
  const [file, line, sourceColumn] = place;
  return file === undefined || line === undefined || sourceColumn === undefined
    ? [column]
    : [column, file, line, sourceColumn];
}
