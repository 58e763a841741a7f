import { expect, it } from 'vitest';
import type { ApiRequest } from '../../operation';
import { runOperation, SAMPLE_PICTURE, sentValue } from '../../testing/run-steps';

const file = SAMPLE_PICTURE;
const bodies = (...args: Parameters<typeof runOperation>) => runOperation(...args).requests.map(sentValue);

it('a text file of GitHub is decoded, and encoded when it is written', () => {
  const repository = { owner: 'o', repo: 'r', path: 'docs/a b.md' };
  const content = Buffer.from('# Über').toString('base64');
  const { requests, result } = runOperation('github', 'files.get', repository, {
    body: { path: 'docs/a b.md', sha: 's', content },
  });
  expect(requests[0]?.path).toBe('/repos/o/r/contents/docs/a%20b.md');
  expect(result).toEqual({ path: 'docs/a b.md', sha: 's', text: '# Über' });
  expect(bodies('github', 'files.write', { ...repository, text: '# Über', message: 'm' })[0]).toMatchObject({
    content,
  });
});

it('a file of GitHub is replaced by its hash, or created where there is none', () => {
  const place = { owner: 'o', repo: 'r', path: 'docs/a.md', message: 'm', branch: 'b' };
  const write = (status: number, body: unknown) =>
    runOperation('github', 'files.edit', { ...place, text: 'x' }, { status, body }).requests;
  const [look, replace] = write(200, { sha: 's1' });
  expect(look).toMatchObject({ path: '/repos/o/r/contents/docs/a.md', query: { ref: 'b' }, acceptedStatus: 404 });
  expect(sentValue(replace as ApiRequest)).toMatchObject({ sha: 's1', branch: 'b', content: 'eA==' });
  expect(sentValue(write(404, { message: 'Not Found' })[1] as ApiRequest)).toMatchObject({
    sha: undefined,
    content: 'eA==',
  });
  expect(() => write(200, [])).toThrow('is a folder');
  expect(() => runOperation('github', 'files.delete', place, { status: 404, body: {} })).toThrow(
    'There is no file "docs/a.md"',
  );
  const { requests } = runOperation('github', 'files.upload', { ...place, file }, { status: 404, body: {} });
  expect(requests[1]?.body).toMatchObject({
    as: 'pieces',
    pieces: ['{"message":"m","branch":"b","content":"', { file, isBase64: true }, '"}'],
  });
});

it('a branch of GitHub begins at the newest commit of another one', () => {
  const repository = { owner: 'o', repo: 'r', name: 'fix' };
  const { requests } = runOperation(
    'github',
    'branches.create',
    { ...repository, from: 'a/b' },
    { body: { sha: 's1' } },
  );
  expect(requests[0]?.path).toBe('/repos/o/r/commits/a%2Fb');
  expect(sentValue(requests[1] as ApiRequest)).toEqual({ ref: 'refs/heads/fix', sha: 's1' });
  expect(runOperation('github', 'branches.create', repository).requests[0]?.path).toBe('/repos/o/r/commits/HEAD');
});

it.each(['../../user', 'docs/./a', 'docs/..'])('a path of GitHub cannot climb: %s', (path) => {
  const place = { owner: 'o', repo: 'r', message: 'm', text: 'x' };
  expect(() => runOperation('github', 'files.write', { ...place, path })).toThrow('must not contain');
  expect(() => runOperation('github', 'files.list', { ...place, folder: path })).toThrow('must not contain');
});

it('statuses of a project of Jira are listed once, whatever types have them', () => {
  const status = (id: string) => ({ id, name: `S${id}` });
  const body = [{ statuses: [status('1'), status('2')] }, { statuses: [status('2'), status('3')] }, {}];
  const { requests, result } = runOperation('jira', 'statuses.list', { project: 'A/B' }, { body });
  expect(requests[0]?.path).toBe('/project/A%2FB/statuses');
  expect(result).toEqual(['1', '2', '3'].map(status));
});

it('an issue of Jira is assigned to a user or to nobody, and linked in its direction', () => {
  const [assigned] = runOperation('jira', 'issues.assign', { issue: 'P-1', assignee: 'u1' }).requests;
  expect(sentValue(assigned as ApiRequest)).toEqual({ accountId: 'u1' });
  const [free] = runOperation('jira', 'issues.assign', { issue: 'P-1' }).requests;
  expect(sentValue(free as ApiRequest)).toEqual({ accountId: null });
  const [link] = runOperation('jira', 'issues.link', { issue: 'P-1', type: 'Blocks', other: 'P-2' }).requests;
  expect(sentValue(link as ApiRequest)).toMatchObject({ inwardIssue: { key: 'P-1' }, outwardIssue: { key: 'P-2' } });
});

it('the owner of the last push to GitHub comes first', () => {
  const owners = (recent: object) =>
    (
      runOperation(
        'github',
        'owners.list',
        {},
        { body: { login: 'ada' } },
        { body: [{ login: 'acme' }, { login: 'tea' }] },
        recent,
      ).result as { login: string }[]
    ).map(({ login }) => login);
  expect(owners({ body: [{ owner: { login: 'tea' } }] })).toEqual(['tea', 'ada', 'acme']);
  expect(owners({ body: [] })).toEqual(['ada', 'acme', 'tea']);
  expect(owners({ status: 403, body: { message: 'Forbidden' } })).toEqual(['ada', 'acme', 'tea']);
});
