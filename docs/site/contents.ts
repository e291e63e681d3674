/** The pages of the site under their headings, as the side bar lists them, by their paths in the repository. */
export const contents: readonly { readonly title: string; readonly files: readonly string[] }[] = [
  {
    title: 'Begin',
    files: ['README.md', 'docs/tutorial.md', 'docs/specification.md', 'docs/requirements.md'],
  },
  {
    title: 'Test',
    files: [
      'docs/backend.md',
      'docs/mint.md',
      'docs/signaling.md',
      'docs/client.md',
      'docs/audit.md',
      'docs/contracts.md',
      'docs/explore.md',
    ],
  },
  {
    title: 'Set up',
    files: ['docs/configuration.md', 'docs/containers.md', 'docs/ci.md', 'docs/limits.md'],
  },
  {
    title: 'Results',
    files: ['docs/results.md', 'docs/reports.md', 'docs/fixes/README.md'],
  },
  {
    title: 'Trust',
    files: ['docs/security.md', 'SECURITY.md'],
  },
  {
    title: 'Contribute',
    files: ['CONTRIBUTING.md', 'docs/architecture.md', 'docs/decisions.md', 'CHANGELOG.md'],
  },
]
