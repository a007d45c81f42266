import { TracingError } from '../protocol/error.ts';
import { registry } from '../tracing/propagation/registry.ts';
import { activeTracer } from '../tracing/record/tracer.ts';

/**
 * The marker in a record in place of bytes, media, a long text or the source of an op, with the way to its content.
 * `get` answers it where the record has one.
 *
 * @example
 * const { image } = (await get(ref)) as { image: StoredFile };
 * await writeFile('image.png', await image.bytes());
 */
export interface StoredFile {
  /** Digests by the names of files; nearly always one. */
  readonly files: Readonly<Record<string, string>>;
  readonly media_type?: string;
  /** Bytes of what was recorded. */
  readonly size?: number;
  /** The content of the file `name`, by default the first. Rejects with `not_found` and `unavailable`. */
  bytes(name?: string): Promise<Uint8Array>;
  /** The content as text. */
  text(name?: string): Promise<string>;
}

export function isFileMarker(value: object): boolean {
  const { _type: type, files } = value as { _type?: unknown; files?: unknown };
  return type === 'CustomType' && typeof files === 'object' && files !== null;
}

/** The methods are no members that count: printed, recorded or published it is the same marker again. */
export function withContent(marker: object, projectId: string | undefined): object {
  const { files } = marker as { files: Readonly<Record<string, unknown>> };
  const bytes = (name = Object.keys(files)[0] ?? '') => readContent(projectId, name, files[name]);
  const text = async (name?: string) => Buffer.from(await bytes(name)).toString('utf8');
  return Object.defineProperties(marker, { bytes: { value: bytes }, text: { value: text } });
}

async function readContent(projectId: string | undefined, name: string, digest: unknown): Promise<Uint8Array> {
  if (typeof digest !== 'string') throw new TracingError('not_found', `Cannot read the file "${name}": there is none`);
  const tracer = activeTracer() ?? registry.tracer;
  const project = projectId ?? tracer?.projectId;
  const known = project === tracer?.projectId ? tracer?.files.find(digest) : undefined;
  if (known !== undefined) return known.slice();
  if (tracer?.objects === undefined || project === undefined)
    throw new TracingError('unavailable', `Cannot read the file "${name}": no service is known`);
  return tracer.objects.readFile(project, name, digest);
}
