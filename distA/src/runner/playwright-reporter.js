import { reportAttachment } from './protocol.js';
/** Hands what the client's checks report to the command that has forked Playwright. */
export default class IpcReporter {
    onBegin() {
        send({ type: 'started' });
    }
    onTestEnd(test, result) {
        const report = result.attachments.find(({ name }) => name === reportAttachment)?.body;
        if (report !== undefined)
            send({ type: 'report', report: JSON.parse(report.toString('utf8')) });
        else if (result.error !== undefined)
            send({ type: 'error', message: `${test.title}: ${firstLine(result.error)}` });
    }
    onError(error) {
        send({ type: 'error', message: firstLine(error) });
    }
    onEnd({ status }) {
        send({ type: 'ended', interrupted: status === 'interrupted' });
    }
    printsToStdio() {
        return true;
    }
}
function send(message) {
    process.send?.(message);
}
function firstLine({ message = 'it failed' }) {
    return message.split('\n')[0] ?? message;
}
