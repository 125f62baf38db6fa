import {type ResultOf} from '../../state/api.ts';
import {type HeldWorkJson, type HoldNote} from '../../state/json/gateway.ts';
import {heldText} from '../../state/status-line.ts';
import {safeText, toolText} from '../../util/safe-text.ts';
import {hiddenWords, markedWords} from '../../state/approval-event.ts';
import {confirmShown} from '../approvals/allow-approval.ts';
import {argumentLines} from '../approvals/request-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type CommandApi, type OpenOwnApi, withApi} from '../cli/connect-gateway.ts';
import {jsonDocument} from '../cli/listing.ts';
import {reportDeclined, runCommand} from '../cli/run-command.ts';
import {noWords} from '../cli/words.ts';
import {counted} from '../../state/number-text.ts';

/** `sluice hold [REASON]`: everything waits until somebody releases it (docs/approvals.md, Hold). A first hold remains. */
export function runHold(context: CommandContext, openOwn: OpenOwnApi): Promise<ExitCode> {
	return runCommand(context, () =>
		withApi<ExitCode>(context, openOwn, async ({call}) => {
			let stored: HoldNote['for'] | undefined;
			const onNote = (note: HoldNote) => {
				stored = note.for;
			};

			const answered = await call('hold', {reason: context.arguments.join(' ')}, {onNote});
			const {answer, held} = answered;
			if (context.flags.json) {
				context.stdout(jsonDocument(answered));
			}

			const whole = `Everything is ${answer === 'held' ? '' : 'already '}${heldText(held)}`;
			context.stderr(`${safeText(whole)}\n${stored ? whenTexts[stored] : ''}`);
			return 0;
		}),
	);
}

const whenTexts = {
	'next-start': 'No gateway runs: the next start is held.\n',
	'every-gateway': 'No gateway runs here: the next start is held, and every gateway on the same journal.\n',
} as const;

/** `sluice unhold`: shows the hold and what waits, has it confirmed, and releases exactly that hold. */
export function runUnhold(context: CommandContext, openOwn: OpenOwnApi): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, 'sluice unhold [--hash HASH] [--json]');
		return withApi(context, openOwn, api => release(context, api));
	});
}

async function release(context: CommandContext, {call}: CommandApi): Promise<ExitCode> {
	const shown = await call('hold.show', {});
	const {held} = shown;
	if (!held) {
		return report(context, {answer: 'not-held', held});
	}

	context.printExact(`${shownLines(shown).join('\n')}\n`);
	const decision = await confirmShown(context, {
		question: 'Release it?',
		shown: held.hash,
		hashOf: '`held.hash` of `sluice status --json`',
	});
	if (decision === 'no') {
		return reportDeclined(context, 'Nothing was released.');
	}

	return report(context, decision === 'changed' ? {answer: 'changed', held} : await call('unhold', {hash: held.hash}));
}

const endTexts = {
	released: 'Released.',
	'not-held': 'Nothing is held.',
	changed: 'sluice: That is not the hash of the current hold; nothing was released. Review it again.',
} as const;

/** 1 when it is held still. */
function report(context: CommandContext, answered: ResultOf<'unhold'>): ExitCode {
	if (context.flags.json) {
		context.stdout(jsonDocument(answered));
	}

	context.stderr(`${endTexts[answered.answer]}\n`);
	return answered.answer === 'changed' ? 1 : 0;
}

const maxShown = 20;

/** The hold and what waits for its release, line by line. */
function shownLines({held, waiting, queued_runs: runs}: ResultOf<'hold.show'>): readonly string[] {
	const rest = waiting.length - maxShown;
	return [
		...(held ? [safeText(`Everything is ${heldText(held)}`), `hash: ${held.hash}`] : []),
		`Waiting: ${counted(waiting.length, 'call')}, ${counted(runs, 'queued run')}. Each call is checked again.`,
		...waiting.slice(0, maxShown).flatMap(workLines),
		...(rest > 0 ? [`  and ${rest} more`] : []),
	];
}

function workLines(work: HeldWorkJson): readonly string[] {
	const {kind, server, tool, origin, arguments: args} = work;
	const what = kind === 'call' ? toolText({server, tool}) : `${kind} of ${server}`;
	const hidden = hiddenWords({cutBytes: work.cut_bytes, maskedValues: work.masked_values});
	return [
		safeText(`  ${what}, from ${origin}`),
		...(hidden.length === 0 ? [] : [`    Not shown in full: ${hidden.join(', ')}.`]),
		...markedWords({markedCharacters: work.marked_characters}).map(words => `    ${words}`),
		...(args ? argumentLines(args).map(line => `    ${line}`) : []),
	];
}
