/** The type of a file, and the names by which tools that show it know it (protocol 11.7). */
export interface MediaType {
  readonly mediaType: string;
  /** Name in `svc_type`. */
  readonly typeName: string;
  readonly fileName: string;
}

interface Signature {
  readonly mediaType: string;
  readonly at: number;
  readonly text: string;
  /** A second mark, for containers that hold several kinds. */
  readonly also?: { readonly at: number; readonly text: string };
}

/** First bytes as Latin-1 text. More particular ones stand before those of the container they use. */
const SIGNATURES: readonly Signature[] = [
  { mediaType: 'image/png', at: 0, text: '\x89PNG\r\n\x1a\n' },
  { mediaType: 'image/jpeg', at: 0, text: '\xff\xd8\xff' },
  { mediaType: 'image/gif', at: 0, text: 'GIF87a' },
  { mediaType: 'image/gif', at: 0, text: 'GIF89a' },
  { mediaType: 'image/webp', at: 0, text: 'RIFF', also: { at: 8, text: 'WEBP' } },
  { mediaType: 'image/tiff', at: 0, text: 'II*\0' },
  { mediaType: 'image/tiff', at: 0, text: 'MM\0*' },
  { mediaType: 'audio/wav', at: 0, text: 'RIFF', also: { at: 8, text: 'WAVE' } },
  { mediaType: 'audio/flac', at: 0, text: 'fLaC' },
  { mediaType: 'audio/ogg', at: 0, text: 'OggS' },
  { mediaType: 'audio/mpeg', at: 0, text: 'ID3' },
  { mediaType: 'audio/mp4', at: 4, text: 'ftyp', also: { at: 8, text: 'M4A' } },
  { mediaType: 'image/avif', at: 4, text: 'ftyp', also: { at: 8, text: 'avif' } },
  { mediaType: 'image/heic', at: 4, text: 'ftyp', also: { at: 8, text: 'heic' } },
  { mediaType: 'video/quicktime', at: 4, text: 'ftyp', also: { at: 8, text: 'qt  ' } },
  { mediaType: 'video/mp4', at: 4, text: 'ftyp' },
  { mediaType: 'video/webm', at: 0, text: '\x1aE\xdf\xa3' },
  { mediaType: 'application/pdf', at: 0, text: '%PDF-' },
  { mediaType: 'application/zip', at: 0, text: 'PK\x03\x04' },
  { mediaType: 'application/gzip', at: 0, text: '\x1f\x8b\x08' },
];

const HEAD_BYTES = 16;

/** The media type that the first bytes tell; `undefined` for text and for what is not known. */
export function detectMediaType(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, HEAD_BYTES));
  const found = SIGNATURES.find(
    ({ at, text, also }) => head.startsWith(text, at) && (also === undefined || head.startsWith(also.text, also.at)),
  );
  return found?.mediaType ?? (isMpegFrame(bytes) ? 'audio/mpeg' : undefined);
}

/** An MP3 without a tag begins with the header of a frame: layer III, a bit rate and a sample rate that exist. */
function isMpegFrame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  const isLayerThree = first === 0xff && (second & 0xe6) === 0xe2;
  const bitRate = third >> 4;
  return isLayerThree && bitRate > 0 && bitRate < 15 && ((third >> 2) & 3) !== 3;
}

const FILE_ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mp4': 'm4a',
  'video/quicktime': 'mov',
  'application/gzip': 'gz',
};

/** Images that the type name which other tools know stands for. */
const RASTER = /^image\/(?:png|jpeg|gif|webp|tiff|bmp)$/;

/** Names for a media type, whether it was detected or told. */
export function mediaTypeOf(mediaType: string): MediaType {
  const [kind = '', subtype = ''] = mediaType.split('/');
  const ending = FILE_ENDINGS[mediaType] ?? (/^[a-z0-9]{1,8}$/.test(subtype) ? subtype : 'bin');
  if (RASTER.test(mediaType)) return { mediaType, typeName: 'PIL.Image.Image', fileName: `image.${ending}` };
  if (kind === 'audio' && ending === 'wav') return { mediaType, typeName: 'wave.Wave_read', fileName: 'audio.wav' };
  if (kind === 'image') return { mediaType, typeName: 'Image', fileName: `image.${ending}` };
  if (kind === 'audio') return { mediaType, typeName: 'Audio', fileName: `audio.${ending}` };
  if (kind === 'video') return { mediaType, typeName: 'Video', fileName: `video.${ending}` };
  if (ending === 'pdf') return { mediaType, typeName: 'Document', fileName: 'document.pdf' };
  if (kind === 'text') return { mediaType, typeName: 'Text', fileName: 'text.txt' };
  return { mediaType, typeName: 'Bytes', fileName: 'content.bin' };
}
