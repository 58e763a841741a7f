import type { FileValue } from '@/contract/file-value';

export type PreviewKind = 'image' | 'text' | 'csv' | 'pdf' | 'audio' | 'video';

const MIB = 1024 * 1024;

/** The kinds of previews: the content types, and up to which size a file is fetched for it. The first that fits is used. */
const KINDS: readonly { kind: PreviewKind; types: RegExp; most: number }[] = [
  // Images that cannot hold scripts.
  { kind: 'image', types: /^image\/(png|jpeg|gif|webp|avif|bmp)$/, most: 10 * MIB },
  { kind: 'csv', types: /^text\/(csv|tab-separated-values)(;|$)/, most: 5 * MIB },
  { kind: 'text', types: /^(text\/|application\/(json|xml|x-ndjson|yaml|javascript|sql)(;|$))/, most: MIB },
  { kind: 'pdf', types: /^application\/pdf(;|$)/, most: 10 * MIB },
  { kind: 'audio', types: /^audio\/(mpeg|mp4|aac|ogg|wav|x-wav|webm|flac)(;|$)/, most: 25 * MIB },
  { kind: 'video', types: /^video\/(mp4|webm|ogg)(;|$)/, most: 25 * MIB },
];

/** How a file can be shown beside its facts; undefined: it cannot, or it is too large for that. */
export const previewOf = ({ contentType, size }: FileValue): PreviewKind | undefined =>
  KINDS.find(({ types, most }) => types.test(contentType) && size <= most)?.kind;
