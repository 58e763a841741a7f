import { expect, it } from 'vitest';
import { serviceEventTitle } from './event-title';

it('names the service of an event once', () => {
  const titles = [
    ['New order', 'Shopify'],
    ['New message to a bot', 'Telegram'],
    ['New email in Outlook', 'Microsoft Graph'],
    ['Something in the own OneDrive changes', 'Microsoft Graph'],
    ['Something in a calendar changes', 'Google'],
    ['Finished run of GitHub Actions', 'GitHub'],
  ] as const;
  expect(titles.map(([title, service]) => serviceEventTitle(title, service))).toEqual([
    'New order in Shopify',
    'New message to a bot in Telegram',
    'New email in Outlook',
    'Something in the own OneDrive changes',
    'Something in a calendar changes in Google',
    'Finished run of GitHub Actions',
  ]);
});
