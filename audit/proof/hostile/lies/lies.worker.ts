import { answerTrials } from '../../trials.ts'
import { faultOfLie } from './fault-of-lie.ts'
import { type LiesTask, liesOf } from './lies-of.ts'

answerTrials<LiesTask>(function* (task) {
  for (const { file, lie } of liesOf(task)) yield () => faultOfLie(file, lie)
})
