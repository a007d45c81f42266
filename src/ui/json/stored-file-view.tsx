import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from '../controls/signs/icon.tsx';
import { type ContentSource, useContentSource } from './content-source.ts';
import { saveFile } from '../data/save-file.ts';
import classes from './json.module.css';
import { showControls } from './show-controls.ts';
import { formatBytes } from '../format/bytes.ts';
import { countOf } from '../format/count.ts';
import type { FileMarker } from './stored-file.ts';

/** Media up to this size are fetched without being asked for. */
const SHOWN_UNASKED = 2_000_000;

/** Types that a browser shows as what they are and nothing else: a page or a drawing may hold programs. */
const IMAGES = /^image\/(?:png|jpeg|gif|webp|avif|bmp|tiff)$/;
const SOUNDS = /^audio\/[\w.+-]+$/;
const FILMS = /^video\/[\w.+-]+$/;

const NOT_KEPT = 'is not kept here';
const NOT_LOADED = 'could not be loaded';

/** A file that the service keeps in place of a value: what it is, a look at it, and a way to have it. */
export function StoredFile({ marker }: { readonly marker: FileMarker }): ReactNode {
  const [isWanted, setWanted] = useState(isShownUnasked(marker));
  const [isBroken, setBroken] = useState(false);
  const content = useFile(marker, isWanted);
  const source = useContentSource();
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    try {
      const bytes = content.blob ?? (await read(source, marker, new AbortController().signal));
      if (bytes !== undefined) saveFile(bytes, marker.name);
      setProblem(bytes === undefined ? NOT_KEPT : undefined);
    } catch {
      setProblem(NOT_LOADED);
    }
  };
  const said = problem ?? content.problem;
  return (
    <span className={classes.file}>
      {content.address === undefined || isBroken ? (
        <Icon name="file" />
      ) : (
        <Media marker={marker} address={content.address} onBroken={() => setBroken(true)} />
      )}
      <span className={classes.facts}>
        {factsOf(marker)}
        {said !== undefined && <span className={classes.cut}> {said}</span>}
        <br />
        {!isWanted && isMedia(marker) && (
          <button type="button" className={classes.more} onClick={() => setWanted(true)}>
            show
          </button>
        )}
        <button type="button" className={classes.more} onClick={() => void save()}>
          download
        </button>
      </span>
      {marker.preview !== undefined && (
        <pre className={classes.text} dir="auto">
          {showControls(marker.preview)}
        </pre>
      )}
    </span>
  );
}

function isMedia({ mediaType }: FileMarker): boolean {
  return [IMAGES, SOUNDS, FILMS].some((types) => types.test(mediaType));
}

function isShownUnasked(marker: FileMarker): boolean {
  return isMedia(marker) && (marker.size ?? 0) <= SHOWN_UNASKED;
}

function factsOf({ name, mediaType, size, characters, className }: FileMarker): string {
  const facts = [
    mediaType,
    size === undefined ? undefined : formatBytes(size),
    characters === undefined ? undefined : countOf(characters, 'character'),
    className,
  ];
  return showControls(`${name} · ${facts.filter((fact) => fact !== undefined).join(', ')}`);
}

interface MediaProps {
  readonly marker: FileMarker;
  readonly address: string;
  /** The bytes are not what the record says. */
  readonly onBroken: () => void;
}

function Media({ marker, address, onBroken }: MediaProps): ReactNode {
  const { mediaType, name } = marker;
  const [size, setSize] = useState('');
  if (SOUNDS.test(mediaType)) return <audio controls src={address} aria-label={name} />;
  if (FILMS.test(mediaType)) return <video controls src={address} aria-label={name} className={classes.image} />;
  return (
    <img
      className={classes.image}
      src={address}
      alt={name}
      title={size}
      onError={onBroken}
      onLoad={({ currentTarget }) => setSize(`${currentTarget.naturalWidth} × ${currentTarget.naturalHeight}`)}
    />
  );
}

interface FileContent {
  readonly blob?: Blob;
  readonly address?: string;
  readonly problem?: string;
}

/** The content as an address of its own, which ends with the part of the page that shows it. */
function useFile(marker: FileMarker, isWanted: boolean): FileContent {
  const source = useContentSource();
  const [content, setContent] = useState<FileContent>({});
  const { digest, mediaType } = marker;
  useEffect(() => {
    if (!isWanted) return undefined;
    const controller = new AbortController();
    let address: string | undefined;
    const take = (blob: Blob | undefined): void => {
      if (controller.signal.aborted) return;
      if (blob === undefined) return setContent({ problem: NOT_KEPT });
      address = URL.createObjectURL(blob);
      setContent({ blob, address });
    };
    const fail = (): void => {
      if (!controller.signal.aborted) setContent({ problem: NOT_LOADED });
    };
    read(source, { digest, mediaType }, controller.signal).then(take, fail);
    return () => {
      controller.abort();
      if (address !== undefined) URL.revokeObjectURL(address);
    };
  }, [source, digest, mediaType, isWanted]);
  return content;
}

/** The service tells bytes only; what they are stands in the record. */
async function read(
  source: ContentSource,
  { digest, mediaType }: Pick<FileMarker, 'digest' | 'mediaType'>,
  signal: AbortSignal,
): Promise<Blob | undefined> {
  const blob = await source.readFile(digest, signal);
  return blob && new Blob([blob], { type: mediaType });
}
