import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { showControls } from '../json/show-controls.ts';
import { formatBytes } from '../format/bytes.ts';
import { saveFile } from '../data/save-file.ts';
import { fileMarkerOf } from '../json/stored-file.ts';
import { StoredFile } from '../json/stored-file-view.tsx';
import { Icon } from '../controls/signs/icon.tsx';
import type { MediaPart } from './chat.ts';
import classes from './chat.module.css';

/** An image, a sound or a document of a message. */
export function MediaView({ part }: { readonly part: MediaPart }): ReactNode {
  const { source } = part;
  const marker = source.from === 'file' ? fileMarkerOf(source.marker) : undefined;
  if (marker !== undefined) return <StoredFile marker={marker} />;
  if (source.from === 'base64') return <Inline part={part} data={source.data} />;
  return source.from === 'address' ? <Elsewhere part={part} address={source.address} /> : null;
}

const IMAGES = /^image\/(?:png|jpeg|gif|webp|avif|bmp|\*)$/;

const SOUNDS = /^audio\/[\w.+-]+$/;

/** Bytes within the record. Only images and sounds are shown, and only as these. */
function Inline({ part, data }: { readonly part: MediaPart; readonly data: string }): ReactNode {
  const { mediaType = 'bytes', name } = part;
  const blob = useMemo(() => decode(data, mediaType), [data, mediaType]);
  const [address, setAddress] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (blob === undefined || !(IMAGES.test(mediaType) || SOUNDS.test(mediaType))) return undefined;
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob, mediaType]);
  return (
    <p className={classes.media}>
      {address === undefined ? (
        <Icon name="file" />
      ) : (
        <Shown address={address} mediaType={mediaType} name={name} onBroken={() => setAddress(undefined)} />
      )}
      <span>
        {showControls([name, mediaType].filter((fact) => fact !== undefined).join(' · '))},{' '}
        {blob === undefined ? 'cannot be read' : formatBytes(blob.size)}
        {blob !== undefined && (
          <>
            <br />
            <button type="button" className={classes.save} onClick={() => saveFile(blob, name ?? nameOf(mediaType))}>
              download
            </button>
          </>
        )}
      </span>
    </p>
  );
}

/** A file has a name, and the end of it says how it is opened. */
function nameOf(mediaType: string): string {
  const [, kind] = /^\w+\/(\w+)$/.exec(mediaType) ?? [];
  return kind === undefined ? 'message' : `message.${kind}`;
}

interface ShownProps {
  readonly address: string;
  readonly mediaType: string;
  readonly name: string | undefined;
  /** The bytes are not what the record says. */
  readonly onBroken: () => void;
}

function Shown({ address, mediaType, name, onBroken }: ShownProps): ReactNode {
  if (SOUNDS.test(mediaType))
    return <audio controls src={address} aria-label={name ?? 'sound of the message'} onError={onBroken} />;
  return <img src={address} alt={name ?? 'image of the message'} onError={onBroken} />;
}

function decode(data: string, mediaType: string): Blob | undefined {
  try {
    const bytes = atob(data.replaceAll('-', '+').replaceAll('_', '/'));
    return new Blob([Uint8Array.from(bytes, (sign) => sign.charCodeAt(0))], { type: mediaType });
  } catch {
    // A text that was cut, or that only looked like bytes.
    return undefined;
  }
}

/** Something elsewhere is never loaded by looking at a trace: the link says where it leads. */
function Elsewhere({ part, address }: { readonly part: MediaPart; readonly address: string }): ReactNode {
  const isLink = /^https?:\/\//i.test(address);
  return (
    <p className={classes.media}>
      <Icon name="file" />
      <span>
        {part.mediaType !== undefined && `${showControls(part.mediaType.replace(/\/\*$/, ''))} at `}
        {isLink ? (
          <a href={address} target="_blank" rel="noopener noreferrer" title={address}>
            {showControls(address.slice(0, LONGEST_ADDRESS))}
          </a>
        ) : (
          showControls(address.slice(0, LONGEST_ADDRESS))
        )}
      </span>
    </p>
  );
}

const LONGEST_ADDRESS = 200;
