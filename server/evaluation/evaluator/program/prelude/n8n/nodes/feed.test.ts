import { expect, it } from 'vitest';
import { listFeedItems } from './feed';

const items = (body: string) => listFeedItems({ output: { body } }).map(({ json }) => json);

it('entries of RSS have the names of n8n', () => {
  const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item>
    <title>One &amp; two</title><link>https://a.example/1</link><guid isPermaLink="false">g1</guid>
    <pubDate>Tue, 02 Jan 2024 10:00:00 GMT</pubDate><dc:creator>Ada</dc:creator><category>x</category>
    <description><![CDATA[<p>First</p><p>Second&nbsp;&lt;b&gt;</p>]]></description>
    <enclosure url="https://a.example/1.mp3" type="audio/mpeg"/></item></channel></rss>`;
  expect(items(feed)).toEqual([
    {
      title: 'One & two',
      link: 'https://a.example/1',
      guid: 'g1',
      pubDate: 'Tue, 02 Jan 2024 10:00:00 GMT',
      isoDate: '2024-01-02T10:00:00.000Z',
      creator: 'Ada',
      'dc:creator': 'Ada',
      categories: ['x'],
      content: '<p>First</p><p>Second&nbsp;&lt;b&gt;</p>',
      contentSnippet: 'First\nSecond&nbsp;<b>',
      enclosure: { url: 'https://a.example/1.mp3', type: 'audio/mpeg' },
    },
  ]);
});

it('entries of Atom have the names of n8n', () => {
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title type="html">B</title>
    <link rel="self" href="https://b.example/self"/><link rel="alternate" href="https://b.example"/>
    <updated>2024-01-02T10:00:00Z</updated><author><name>Ada</name></author><id>i</id></entry></feed>`;
  expect(items(feed)).toEqual([
    {
      title: 'B',
      link: 'https://b.example',
      pubDate: '2024-01-02T10:00:00.000Z',
      isoDate: '2024-01-02T10:00:00.000Z',
      author: 'Ada',
      id: 'i',
    },
  ]);
});

it('what is no feed fails, and a failed request is an error', () => {
  expect(() => items('<html><body/></html>')).toThrow('Feed not recognized');
  expect(listFeedItems({ output: { error: 'It failed' } })).toEqual([{ json: { error: 'It failed' } }]);
});
