import {type Snapshot} from '../../state/snapshot.ts';
import {isUnderWay} from '../lists/login-rows.ts';
import {type Question} from '../state/mode.ts';
import {type Line, lineWidth, lineWithEnd, span} from '../text/span.ts';
import {textWidth, wrapToWidth} from '../text/text-width.ts';

const answers: Line = [span('  y', 'accent'), span(' yes  ', 'dim'), span('n', 'accent'), span(' no', 'dim')];

/** A question with its answers; the answers stay visible however narrow the line is. A question too long for the line is shown in full above it. */
export function questionLine(question: Question, snapshot: Snapshot, width: number): Line {
	const words = longQuestion(question, snapshot, width).length > 0 ? 'Sure?' : questionText(question, snapshot);
	return lineWithEnd([span(` ${words}`, 'busy')], answers, width);
}

/** A question that does not fit beside its answers, in lines; none if it does. */
export function longQuestion(question: Question, snapshot: Snapshot, width: number): readonly Line[] {
	const words = questionText(question, snapshot);
	return textWidth(words) + 1 + lineWidth(answers) <= width
		? []
		: wrapToWidth(words, width - 2).map((text): Line => [span(` ${text}`, 'busy')]);
}

/** The effect of a yes, in words. */
function questionText(question: Question, snapshot: Snapshot): string {
	switch (question.kind) {
		case 'quit':
			return [
				['Quit?', pendingWork(snapshot).join(', ')].filter(Boolean).join(' ') + '.',
				...(question.again === 'lapsed' ? ['5 s passed: Ctrl-C asks again.'] : []),
			].join(' ');
		case 'suspend':
			return 'Suspend? The gateway stops answering until you resume it with fg.';
		case 'set-enabled':
			return question.enabled
				? `Enable ${question.server}? It connects and offers its tools.`
				: ['Disable', `${question.server}?`, 'Its tools become unavailable.', cutCallsText(question, snapshot)]
						.join(' ')
						.trimEnd();
		case 'discard-edit':
			return 'Drop your changes to the text? No keeps them here.';
		case 'start-demo':
			return 'Start the demo? It replaces this gateway until Sluice is restarted.';
		case 'cancel-question':
			return 'Cancel this question for good? No keeps it waiting.';
		case 'call':
			return question.words;
	}
}

/** The fate of the calls that a server has now; empty if it has none. */
export function cutCallsText(
	{server, profile}: {readonly server: string; readonly profile: string},
	{calls}: Pick<Snapshot, 'calls'>,
): string {
	const count = calls.filter(
		call => call.node === undefined && call.server === server && call.profile === profile,
	).length;
	const words = count === 1 ? '1 call is under way; it' : `${count} calls are under way; they`;
	return count === 0 ? '' : `${words} will be cut off and may have taken effect.`;
}

/** The work that a stop would interrupt, in words; counts of zero are omitted. */
export function pendingWork(snapshot: Snapshot): readonly string[] {
	// Other gateways of a shared journal go on with theirs.
	const runs = snapshot.runs.filter(
		({state, node}) => node === '' && (state === 'running' || state === 'queued'),
	).length;
	const isOwn = ({askedAt}: {readonly askedAt?: unknown}) => askedAt === undefined;
	const logins = snapshot.logins.filter(isUnderWay).length;
	const losses: ReadonlyArray<readonly [number, string, string]> = [
		[snapshot.approvals.filter(isOwn).length, 'waiting approval', 'will be cancelled'],
		[snapshot.questions.filter(isOwn).length, 'question', 'will be cancelled'],
		[snapshot.proposals.length, 'install proposal', 'will be dropped'],
		[logins, 'login', 'will be abandoned'],
		[snapshot.calls.filter(({node}) => node === undefined).length, 'call', 'will be cut off'],
		[runs, 'run', 'will be cut off'],
	];
	return losses.flatMap(([count, noun, fate]) =>
		count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'} ${fate}`],
	);
}
