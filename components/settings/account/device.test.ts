import { describe, expect, it } from 'vitest';
import { describeDevice } from './device';

describe('the name of a device', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36 Edg/150.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Safari/604.1',
      'Safari on iOS',
    ],
    ['curl/8.9.1', 'curl'],
    ['my-script/1', 'my-script/1'],
    ['', 'Unknown device'],
  ])('%s', (userAgent, words) => expect(describeDevice(userAgent)).toBe(words));
});
