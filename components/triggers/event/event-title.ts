/** Titles that name the service by themselves, or a part of it: `New email in Outlook`. */
const NAMED_SERVICE = / in (the own |an? )?\p{Lu}/u;

/** The title of an event beside others of any service: `New order in Shopify`. */
export const serviceEventTitle = (title: string, service: string): string =>
  title.includes(service) || NAMED_SERVICE.test(title) ? title : `${title} in ${service}`;

/** What was picked for the parameters of an event: `#general`. */
export const joinPickedLabels = (labels: Readonly<Record<string, string>> | undefined): string =>
  Object.values(labels ?? {}).join(' · ');

/** A text with what was picked: `New message in Slack · #general`. */
export const withPickedLabels = (text: string, labels: Readonly<Record<string, string>> | undefined): string =>
  [text, joinPickedLabels(labels)].filter(Boolean).join(' · ');
