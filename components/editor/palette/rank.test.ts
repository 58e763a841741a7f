import { describe, expect, it } from 'vitest';
import { TRIGGER_KINDS } from '@/components/triggers/kinds';
import { listPublicNodeTypes } from '@/server/workflow/nodes';
import { pickShard } from '@/server/testing/shards';
import { EDITOR_OFFERS } from './node-offers';
import { scoreSearchedEntry, rankEntries, type SearchableEntry } from '@/components/ui/choosing/search-ranking';

const nodes = listPublicNodeTypes().map((kind) => ({
  title: kind.title,
  description: kind.description,
  words: [kind.type, ...kind.synonyms],
}));
const triggers = TRIGGER_KINDS.flatMap(({ label, offer }) =>
  offer ? [{ title: label, ...offer, words: offer.synonyms }] : [],
);
const operations = [
  'List the tracks of a playlist',
  'Get an order',
  'Start, stop or reset an instance',
  'Create a contact',
  'List mails',
].map((title): SearchableEntry => ({
  title,
  description: 'Spotify',
  words: ['Spotify', 'tracks.list'],
  isHidden: true,
}));
const all: SearchableEntry[] = [...nodes, ...triggers, ...operations, ...EDITOR_OFFERS];
const found = (search: string) => rankEntries(search, all).map(({ title }) => title);

/** What people type, as other products call it, and what they find first. */
const FIRST: Record<string, string> = {
  Webhook: 'webhook, incoming call, endpoint',
  Schedule: 'cron, schedule, every hour, every day, daily, recurring',
  Poll: 'poll, watch, feed, on new item',
  'New email': 'email trigger, mail trigger, imap, inbox, mailbox, incoming email, gmail trigger, outlook trigger',
  Form: 'form, survey',
  Start: 'start, click, test, manual trigger',
  Condition: 'if, else, if else, ifelse, compare, branch, true or false',
  Switch: 'switch, route, router, switch case',
  'For each': 'loop, foreach, for loop, iterate, each, split in batches, loop over items',
  Repeat: 'until, while, do while, retry until',
  Transform: 'set, edit fields, set field, rename, json, date time, format date, text, math, uuid, hash, transf',
  Merge: 'merge, join, combine, append, vlookup',
  Delay: 'sleep, delay, timer, wait until',
  'Wait for call': 'callback, resume, wait for webhook',
  Code: 'code, function, js, javascript, script, python, throw',
  'HTTP request': 'http, api, rest, url, fetch, curl, request, get request, graphql, download',
  'Send email': 'email, mail, send mail, smtp, notify, gmail',
  Convert: 'csv, excel, pdf, xml, html, base64, zip, parse json, json parse, markdown',
  SQL: 'sql, database, db, postgres, mysql, mariadb, query',
  Redis: 'redis, valkey, keydb, pub sub, queue',
  'SSH command': 'ssh, shell, bash, remote, server, execute command',
  'File transfer (SFTP, FTP)': 'sftp, ftp, ftps, scp, file transfer',
  Table: 'table, data table, upsert, insert row, rows',
  Remember: 'remember, memory, state, counter, cache, key value, store',
  Filter: 'filter, where, keep',
  'Remove duplicates': 'dedupe, deduplicate, unique, distinct, remdup',
  Sort: 'sort, order by',
  Split: 'split, chunk',
  Aggregate: 'group by, sum, count, summarize, average',
  'Sub-workflow': 'sub workflow, subworkflow, call workflow, execute workflow, subflow',
  Respond: 'respond, response, return, respond to webhook',
  Approval: 'approval, human, human in the loop, wait for approval, confirm, ask, approve',
  'AI agent': 'agent, ai agent, agents',
  Note: 'note, sticky, comment',
  'Error workflow': 'error, on error, catch, try catch',
};
const MISSPELT: Record<string, string> = {
  'HTTP request': 'htpt',
  'Send email': 'emial, e-mial',
  Schedule: 'shedule, schedul, scedule',
  Webhook: 'wehbook, webhok',
  Condition: 'condtion, conditon',
  Filter: 'filtre',
  Approval: 'aproval, approvel',
  Delay: 'delya',
  Transform: 'trasnform, transfrom',
};
const cases = (table: Record<string, string>) =>
  Object.entries(table).flatMap(([title, words]) => words.split(', ').map((word) => [word, title] as const));

describe('rank', () => {
  it.each(pickShard([...cases(FIRST), ...cases(MISSPELT)]))('finds for “%s” first %s', (search, title) =>
    expect(found(search)[0]).toBe(title),
  );

  it('finds all that a word stands for', () => {
    expect(found('wait').slice(0, 2).sort()).toEqual(['Delay', 'Wait for call']);
    expect(found('trigger').sort()).toEqual(expect.arrayContaining(['Form', 'Poll', 'Schedule', 'Start', 'Webhook']));
  });

  it('does not match letters or parts of words in descriptions', () => {
    expect(found('slack')).toEqual([]);
    expect(found('kafka')).toEqual([]);
    expect(found('ai')).not.toContain('List mails');
    expect(scoreSearchedEntry('list', { title: 'X', description: 'Sorts a list.' })).toBeGreaterThan(0);
    expect(scoreSearchedEntry('lis', { title: 'X', description: 'Sorts a list.' })).toBe(0);
  });

  it('offers similar words only if nothing else is found', () => {
    expect(found('pause')).not.toContain('Convert');
    expect(found('catch')).toEqual(['Error workflow']);
    expect(found('nfs')).toEqual([]);
  });

  it('reads accents, hyphens and fillers', () => {
    expect(found('É-mail')[0]).toBe('Send email');
    expect(found('send a mail')[0]).toBe('Send email');
  });

  it('ranks operations of services after nodes, and needs every word', () => {
    expect(found('get')[0]).toBe('HTTP request');
    expect(scoreSearchedEntry('spotify list', operations[0]!)).toBeGreaterThan(0);
    expect(scoreSearchedEntry('spotify nothing', operations[0]!)).toBe(0);
    expect(scoreSearchedEntry('hr', operations[0]!)).toBe(0);
  });
});
