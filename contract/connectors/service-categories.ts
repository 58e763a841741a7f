/** What services of the directory are for, with the words of the user interface. */
export const SERVICE_CATEGORIES = {
  accounting: 'Accounting',
  ai: 'AI',
  cloud: 'Cloud and hosting',
  commerce: 'Commerce and shipping',
  communication: 'Communication',
  data: 'Data',
  developer: 'Developer tools',
  documents: 'Documents and files',
  hr: 'HR',
  marketing: 'Marketing',
  media: 'Media',
  monitoring: 'Monitoring',
  payments: 'Payments and banking',
  productivity: 'Productivity',
  sales: 'Sales',
  security: 'Security',
  social: 'Social',
  support: 'Support',
} as const;

export type ServiceCategory = keyof typeof SERVICE_CATEGORIES;
