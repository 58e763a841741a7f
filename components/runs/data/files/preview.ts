import type { FileValue } from '@/contract/file-value';
import { BYTES_PER_MIB } from '@/contract/units';

export type FilePreviewKind = 'image' | 'text' | 'csv' | 'pdf' | 'audio' | 'video';

/**
 * The kinds of previews: the content types, and up to which size a file is fetched for it. The first that fits is used.
 */
const PREVIEW_KINDS: readonly { kind: FilePreviewKind; types: RegExp; most: number }[] = [
  // These types of images cannot hold scripts.
  { kind: 'image', types: /^image\/(png|jpeg|gif|webp|avif|bmp)$/, most: 10 * BYTES_PER_MIB },
  { kind: 'csv', types: /^text\/(csv|tab-separated-values)(;|$)/, most: 5 * BYTES_PER_MIB },
  { kind: 'text', types: /^(text\/|application\/(json|xml|x-ndjson|yaml|javascript|sql)(;|$))/, most: BYTES_PER_MIB },
  { kind: 'pdf', types: /^application\/pdf(;|$)/, most: 10 * BYTES_PER_MIB },
  { kind: 'audio', types: /^audio\/(mpeg|mp4|aac|ogg|wav|x-wav|webm|flac)(;|$)/, most: 25 * BYTES_PER_MIB },
  { kind: 'video', types: /^video\/(mp4|webm|ogg)(;|$)/, most: 25 * BYTES_PER_MIB },
];

/** Chooses the preview of a file. Returns undefined if there is none for its type, or if the file is too large. */
export const choosePreview = ({ contentType, size }: FileValue): FilePreviewKind | undefined =>
  PREVIEW_KINDS.find(({ types, most }) => types.test(contentType) && size <= most)?.kind;
