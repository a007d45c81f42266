import { readFileSync, statSync } from 'node:fs';
import type { SourceMap } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { builtin } from '../../host/builtin.ts';
import { type CodeFrame, textOfLoader } from './call-sites.ts';
import type { WrapPlace } from '../wrap/wrap-place.ts';

/** A line of the source as the user wrote it; the file as seen from the root of its package. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

/** Reading a map of a megabyte stops the program for some ten milliseconds; larger ones are those of bundles. */
const MAX_MAP_BYTES = 1024 * 1024;

/** Functions that compilers write around decorators, and packages of such functions. */
const COMPILER_FUNCTION = /^_+(?:es|ts)?_?(?:decorate|applyDecs|apply_decs|runInitializers)/i;
const COMPILER_PACKAGE = /[\\/](?:tslib|@swc[\\/]helpers|@babel[\\/]runtime)[\\/]/;

/** A loader's word on a frame, in brackets behind a function's name or alone. Files have blanks and brackets, too. */
const TOLD = /^ *at (?:.*? \((?=.*\)$)|(?!.*\)$)(?:async )?)(?<file>.+):(?<row>\d+):\d+\)?$/m;

/** The file and the line of a place, through the source map where there is one; `undefined` where that cannot be told. */
export function sourcePlaceOf(place: WrapPlace | undefined): SourcePlace | undefined {
  try {
    const frame = place?.find((each) => isOfUser(each));
    return frame && original(frame);
  } catch {
    // Whatever a loader makes of frames: a call is recorded without its place then.
    return undefined;
  }
}

function isOfUser({ script, functionName }: CodeFrame): boolean {
  return !script.startsWith('node:') && !COMPILER_FUNCTION.test(functionName) && !COMPILER_PACKAGE.test(script);
}

function original(frame: CodeFrame): SourcePlace | undefined {
  const { script, line, column } = frame;
  const path = pathOf(script);
  if (frame.isOriginal === true) return placeOf(path, line);
  const map = mapOf(script, path);
  const entry = map?.sourceMap.findEntry(line - 1, column - 1);
  if (map === undefined || entry === undefined || !('originalSource' in entry)) {
    const { file, row } = TOLD.exec(textOfLoader(frame))?.groups ?? {};
    return file === undefined ? placeOf(path, line) : placeOf(pathOf(file), Number(row));
  }
  const source = new URL(entry.originalSource, pathToFileURL(map.path));
  // Bundlers name sources by addresses of their own, which begin at the root of the package.
  if (source.protocol !== 'file:') return { file: source.pathname.replace(/^[./]+/, ''), line: entry.originalLine + 1 };
  return placeOf(fileURLToPath(source), entry.originalLine + 1);
}

function pathOf(script: string): string {
  return script.startsWith('file:') ? fileURLToPath(script) : script;
}

function placeOf(path: string, line: number): SourcePlace | undefined {
  // Code that was made at run time stands in no file.
  if (!path.includes(sep) || line < 1) return undefined;
  const root = packageRootOf(path);
  const file = root === undefined ? basename(path) : relative(root, path).split(sep).join('/');
  return { file, line };
}

interface MapWithPath {
  readonly sourceMap: SourceMap;
  /** Sources are named as seen from here. */
  readonly path: string;
}

const maps = new Map<string, MapWithPath | undefined>();

function mapOf(script: string, path: string): MapWithPath | undefined {
  if (!maps.has(path)) maps.set(path, tryRead(script, path));
  return maps.get(path);
}

/** The file may be gone, and the map gone or broken. */
function tryRead(script: string, path: string): MapWithPath | undefined {
  try {
    return readMap(script, path);
  } catch {
    return undefined;
  }
}

/** The map that Node knows, when it runs with maps, else the one that the script names. */
function readMap(script: string, path: string): MapWithPath | undefined {
  if (statSync(path).size > MAX_MAP_BYTES) return undefined;
  const known = builtin('node:module').findSourceMap(script);
  if (known !== undefined) return { sourceMap: known, path };
  const address = /\/\/[#@] ?sourceMappingURL=(\S+)\s*$/.exec(readFileSync(path, 'utf8'))?.[1];
  if (address === undefined) return undefined;
  const inline = /^data:application\/json[^,]*?(;base64)?,(.*)$/.exec(address);
  if (inline) {
    const text = inline[1] ? Buffer.from(inline[2] ?? '', 'base64').toString() : decodeURIComponent(inline[2] ?? '');
    return { sourceMap: parseMap(text), path };
  }
  const beside = fileURLToPath(new URL(address, pathToFileURL(path)));
  if (statSync(beside).size > MAX_MAP_BYTES) return undefined;
  return { sourceMap: parseMap(readFileSync(beside, 'utf8')), path: beside };
}

function parseMap(text: string): SourceMap {
  const { SourceMap } = builtin('node:module');
  // What a compiler wrote; anything else makes the constructor throw.
  return new SourceMap(JSON.parse(text) as ConstructorParameters<typeof SourceMap>[0]);
}

const roots = new Map<string, string | undefined>();

/** The nearest folder whose package.json has a name: others only say of which kind the modules below are. */
function packageRootOf(path: string): string | undefined {
  const folder = dirname(path);
  if (!roots.has(folder))
    roots.set(folder, isNamed(folder) ? folder : folder === path ? undefined : packageRootOf(folder));
  return roots.get(folder);
}

function isNamed(folder: string): boolean {
  try {
    return 'name' in (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object);
  } catch {
    return false;
  }
}
