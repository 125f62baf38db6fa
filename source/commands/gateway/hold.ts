import {type ControlResult} from '../../control/methods.ts';
import {heldText} from '../../state/status-line.ts';
import {safeText, toolText} from '../../util/safe-text.ts';
import {hiddenWords, markedWords} from '../../state/approval-event.ts';
import {indentJson} from '../../util/json-text.ts';
import {confirmShown} from '../approvals/allow-approval.ts';
import {linesOf} from '../approvals/request-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type Closable, withGateway} from '../cli/connect-gateway.ts';
import {jsonDocument} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {noWords} from '../cli/words.ts';
import {shownValue} from '../../util/shown-json.ts';

/** The hold of the running gateway, or of the next start. */
type HoldAccess = {
	readonly hold: (reason: string) => Promise<ControlResult<'hold'>>;
	readonly show: () => Promise<ControlResult<'hold.show'>>;
	readonly release: (hash: string) => Promise<ControlResult<'unhold'>>;
	/** `every-gateway`: none runs here, and others have the same journal. */
	readonly of: 'running' | 'next-start' | 'every-gateway';
};

/** Opens the hold of the next start in this process. */
export type OpenHold = () => Promise<HoldAccess & Closable>;

/** `sluice hold [REASON]`: everything waits until somebody releases it (docs/approvals.md, Hold). The first hold stands. */
export function runHold(context: CommandContext, openHold: OpenHold): Promise<ExitCode> {
	return runCommand(context, () =>
		withHold(context, openHold, async access => {
			const answered = await access.hold(context.arguments.join(' '));
			const {answer, held} = answered;
			if (context.flags.json) {
				context.stdout(jsonDocument(answered));
			}

			const whole = `Everything is ${answer === 'held' ? '' : 'already '}${heldText(held)}`;
			context.stderr(`${safeText(whole)}\n${whenTexts[access.of]}`);
			return 0;
		}),
	);
}

const whenTexts = {
	running: '',
	'next-start': 'No gateway runs: the next start is held.\n',
	'every-gateway': 'No gateway runs here: the next start is held, and every gateway on the same journal.\n',
} as const;

/** `sluice unhold`: shows the hold and what waits, has it confirmed, and releases exactly that hold. */
export function runUnhold(context: CommandContext, openHold: OpenHold): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, 'sluice unhold [--hash HASH] [--json]');
		return withHold(context, openHold, access => release(context, access));
	});
}

async function release(context: CommandContext, access: HoldAccess): Promise<ExitCode> {
	const shown = await access.show();
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
		context.stderr('Nothing was released.\n');
		return 1;
	}

	return report(context, decision === 'changed' ? {answer: 'changed', held} : await access.release(held.hash));
}

const endTexts = {
	released: 'Released.',
	'not-held': 'Nothing is held.',
	changed: 'sluice: That is not the hash of what is held now; nothing was released. Review it again.',
} as const;

/** 1 when it is held still. */
function report(context: CommandContext, answered: ControlResult<'unhold'>): ExitCode {
	if (context.flags.json) {
		context.stdout(jsonDocument(answered));
	}

	context.stderr(`${endTexts[answered.answer]}\n`);
	return answered.answer === 'changed' ? 1 : 0;
}

const maxShown = 20;

/** The hold and what waits for its release, line by line. */
function shownLines({held, waiting, queued_runs: runs}: ControlResult<'hold.show'>): readonly string[] {
	const rest = waiting.length - maxShown;
	return [
		...(held ? [safeText(`Everything is ${heldText(held)}`), `hash: ${held.hash}`] : []),
		`Waiting: ${counted(waiting.length, 'call')}, ${counted(runs, 'queued run')}. Each call is judged again.`,
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
		...(args ? linesOf(indentJson(shownValue(args))).map(line => `    ${line}`) : []),
	];
}

type HeldWorkJson = ControlResult<'hold.show'>['waiting'][number];

function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function withHold(
	context: CommandContext,
	openHold: OpenHold,
	use: (access: HoldAccess) => Promise<ExitCode>,
): Promise<ExitCode> {
	const {signal} = context;
	return withGateway<HoldAccess, ExitCode>(
		context,
		{
			remote: client => ({
				of: 'running',
				hold: reason => client.call('hold', {reason}, {signal}),
				show: () => client.call('hold.show', {}, {signal}),
				release: hash => client.call('unhold', {hash}, {signal}),
			}),
			local: openHold,
		},
		use,
	);
}
