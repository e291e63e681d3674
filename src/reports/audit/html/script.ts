import { revealScript } from '../../html-page.ts'

/** Filters findings, and opens the fold that a link points into. Without `<` and `&`, the page stays well-formed. */
export const script = `${revealScript}

const filter = document.getElementById('finding-filter')
if (filter) {
  const { rule, text } = filter.elements
  const status = filter.lastElementChild
  const mostUnfolded = 500
  const articles = [...document.querySelectorAll('#findings article')].map((article) => ({
    article,
    folds: [...article.querySelectorAll('details')],
    secrets: [...article.querySelectorAll('.found > li')].map((secret) => {
      const what = secret.firstElementChild.textContent
      const places = [...secret.querySelectorAll('.place')].map((place) => [
        place,
        (what + ' ' + place.textContent).toLowerCase(),
      ])
      return [secret, places]
    }),
  }))
  const total = document.querySelectorAll('#findings .place').length
  const apply = () => {
    const wanted = text.value.trim().toLowerCase()
    let left = 0
    for (const { article, folds, secrets } of articles) {
      const before = left
      const isRule = ['', article.dataset.rule].includes(rule.value)
      for (const [secret, places] of secrets) {
        const start = left
        for (const [place, words] of places) {
          place.hidden = !isRule || !words.includes(wanted)
          if (!place.hidden) left += 1
        }
        secret.hidden = left === start
      }
      article.hidden = left === before
    }
    // Thousands of places stay folded until the text tells them apart.
    const isFew = [wanted !== '', mostUnfolded > left].every(Boolean)
    if (isFew) for (const { folds } of articles) for (const fold of folds) fold.open = true
    status.textContent = left === total ? '' : left + ' of ' + total + ' places'
  }
  filter.hidden = false
  filter.addEventListener('submit', (event) => event.preventDefault())
  filter.addEventListener('input', apply)
}
`
