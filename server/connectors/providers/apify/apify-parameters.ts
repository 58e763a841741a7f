// https://docs.apify.com/api/v2#rate-limiting
export const apifyRateLimit = '60 calls a second for most objects, 250,000 calls a minute for an account.';

export const apifyRunExample = {
  id: 'HG7ML7M8z78YcAPEB',
  actId: 'HDSasDasz78YcAPEB',
  status: 'SUCCEEDED',
  startedAt: '2026-01-31T08:15:30.000Z',
  finishedAt: '2026-01-31T08:16:30.000Z',
  defaultDatasetId: 'wmKPijuyDnPZAPRMk',
};
