export const all = ['mint', 'backend', 'signaling'];
