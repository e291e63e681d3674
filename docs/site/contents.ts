/** The pages of the site under their headings, as the side bar lists them, by their paths in the repository. */
export const contents: readonly { readonly title: string; readonly files: readonly string[] }[] = [
  {
    title: 'Begin',
    files: ['README.md', 'docs/tutorial.md', 'docs/specification.md', 'docs/requirements.md'],
  },
  {
    title: 'Describe and test',
    files: [
      'docs/configuration.md',
      'docs/backend.md',
      'docs/adapter.md',
      'docs/client.md',
      'docs/detect.md',
      'docs/hooks.md',
      'docs/containers.md',
      'docs/production.md',
      'docs/limits.md',
    ],
  },
  {
    title: 'Results',
    files: ['docs/reports.md', 'docs/ci.md', 'docs/fixes/README.md'],
  },
  {
    title: 'More than a run',
    files: ['docs/contracts.md', 'docs/audit.md', 'docs/explore.md', 'docs/app.md'],
  },
  {
    title: 'Trust',
    files: ['docs/security.md', 'SECURITY.md'],
  },
  {
    title: 'Contribute',
    files: ['CONTRIBUTING.md', 'docs/architecture.md', 'docs/decisions/README.md', 'CHANGELOG.md'],
  },
]
