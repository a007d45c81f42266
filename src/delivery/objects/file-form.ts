import type { FileRecord } from '../../protocol/record.ts';

/** Encoding more bytes as base64 inside JSON would stop the event loop for long. */
export const MAX_JSON_FILE_BYTES = 64 * 1024;

/** A file as `multipart/form-data`: its bytes are copied once and not encoded. */
export function fileForm({ projectId, name, digest, bytes }: FileRecord): { body: Buffer; contentType: string } {
  // No content has its own digest in it.
  const boundary = `spoor-${digest}`;
  const head = [
    part(boundary, 'name="project_id"', projectId),
    part(boundary, 'name="expected_digest"', digest),
    part(boundary, `name="file"; filename="${escaped(name)}"`, ''),
  ].join('\r\n');
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}

function part(boundary: string, disposition: string, value: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}`;
}

/** As browsers do it. */
function escaped(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
