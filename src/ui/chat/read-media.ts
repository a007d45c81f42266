import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import { fileMarkerOf } from '../json/stored-file.ts';
import type { MediaPart, MediaSource } from './chat.ts';
import { firstOf, textOf, wordOf } from '../json/read-json.ts';

const MEDIA_TYPE = /image|audio|video|file|document|media|blob|uri/;

/** An image, a sound or a document, wherever the shape keeps it. */
export function mediaPartOf(value: ParsedObject): MediaPart | undefined {
  const marker = fileMarkerOf(value);
  if (marker !== undefined) return partOf(marker.mediaType, marker.name, { from: 'file', marker: value });
  const inner = firstOf(value, 'inlineData', 'fileData', 'inline_data', 'file_data');
  if (isObject(inner)) return foundIn(value, inner);
  const type = wordOf(value['type']);
  if (!MEDIA_TYPE.test(type) && !isObject(value['image'])) return undefined;
  const holder = firstOf(value, 'image_url', 'input_audio', 'source', 'file', 'image', 'audio', 'data');
  return isObject(holder) && fileMarkerOf(holder) === undefined ? foundIn(value, holder) : foundIn(value, value);
}

const HOLDERS = [
  'data',
  'url',
  'uri',
  'image_url',
  'fileUri',
  'file_uri',
  'file_data',
  'image',
  'file',
  'b64_json',
  'content',
  'file_id',
];

function foundIn(value: ParsedObject, holder: ParsedObject): MediaPart | undefined {
  for (const name of HOLDERS) {
    const found = holder[name];
    const source = isObject(found) && name === 'image' ? undefined : sourceOf(found, BYTES.has(name));
    if (source !== undefined) return partOf(mediaTypeOf(value, holder), nameOf(value, holder), source);
    if (isObject(found) && name === 'image') return foundIn(value, found);
  }
  return undefined;
}

/** Members that hold bytes when they hold no address. */
const BYTES = new Set(['data', 'b64_json']);

const ADDRESS = /^[a-z][a-z0-9+.-]*:/i;

const DATA_URL = /^data:([^;,]*)[^,]*;base64,/;

function sourceOf(found: unknown, holdsBytes: boolean): MediaSource | undefined {
  if (fileMarkerOf(found) !== undefined) return { from: 'file', marker: found };
  if (typeof found !== 'string' || found === '') return undefined;
  if (DATA_URL.test(found.slice(0, 200))) return { from: 'base64', data: found.slice(found.indexOf(',') + 1) };
  const isLong = found.length > 64 && /^[A-Za-z0-9+/=\s]+$/.test(found.slice(0, 256));
  const isBytes = isLong || (holdsBytes && !ADDRESS.test(found));
  return isBytes ? { from: 'base64', data: found } : { from: 'address', address: found };
}

function mediaTypeOf(value: ParsedObject, holder: ParsedObject): string | undefined {
  for (const each of [holder, value]) {
    const told = textOf(firstOf(each, 'media_type', 'mimeType', 'mime_type', 'mediaType'));
    if (told !== undefined) return told;
    const format = textOf(each['format']);
    if (format !== undefined) return `audio/${format}`;
    const address = textOf(firstOf(each, 'url', 'image_url', 'data', 'image', 'file_data'));
    const inAddress = address === undefined ? undefined : DATA_URL.exec(address.slice(0, 200))?.[1];
    if (inAddress !== undefined && inAddress !== '') return inAddress;
    const marker = fileMarkerOf(firstOf(each, 'data', 'url', 'image_url', 'image', 'file_data', 'file'));
    if (marker !== undefined) return marker.mediaType;
  }
  const modality = textOf(value['modality']) ?? textOf(value['type']);
  return modality !== undefined && modality.includes('image') ? 'image/*' : undefined;
}

function nameOf(value: ParsedObject, holder: ParsedObject): string | undefined {
  return textOf(firstOf(holder, 'filename', 'name', 'title')) ?? textOf(firstOf(value, 'filename', 'name', 'title'));
}

function partOf(mediaType: string | undefined, name: string | undefined, source: MediaSource): MediaPart {
  return { type: 'media', mediaType, name, source };
}
