import { IconWebhook } from '@tabler/icons-react';
import classes from './WebhookSenderIcon.module.css';

/**
 * Services that call webhooks and whose icon is in `public/senders`, or in `public/connectors` where they have a
 * connector.
 */
const ICON_FOLDERS: Record<string, string> = {
  asana: 'connectors',
  calendly: 'connectors',
  discord: 'connectors',
  github: 'connectors',
  gitlab: 'connectors',
  hubspot: 'connectors',
  linear: 'connectors',
  mailchimp: 'connectors',
  mailgun: 'senders',
  meta: 'senders',
  microsoft_graph: 'connectors',
  paddle: 'senders',
  shopify: 'connectors',
  slack: 'connectors',
  square: 'senders',
  stripe: 'connectors',
  telegram: 'connectors',
  trello: 'connectors',
  twilio: 'connectors',
  typeform: 'connectors',
  zendesk: 'connectors',
  zoom: 'senders',
};

/** The address of the icon of a service, by its id or its name; undefined: it has none. */
export function senderIconUrl(service: string): string | undefined {
  const id = service.toLowerCase();
  const place = Object.hasOwn(ICON_FOLDERS, id) ? ICON_FOLDERS[id] : undefined;
  return place && `/${place}/${id}.svg`;
}

/** The icon of a service that calls webhooks. Decorative: its name is next to it. */
export function WebhookSenderIcon({ service, size = 16 }: { service: string; size?: number }) {
  const address = senderIconUrl(service);
  if (!address) return <IconWebhook size={size} aria-hidden />;
  // oxlint-disable-next-line nextjs/no-img-element -- an SVG of a few hundred bytes gains nothing from resizing
  return <img src={address} alt="" width={size} height={size} className={classes.icon} />;
}
