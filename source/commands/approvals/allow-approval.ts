import {type AnsweredJson, type ApprovalEndJson, type WholeApprovalJson} from '../../state/json/approval.ts';
import {type ControlClient} from '../../control/client.ts';
import {type ParamsOf} from '../../state/api.ts';
import {unreviewed} from '../../control/review-hash.ts';
import {markedWords} from '../../state/approval-event.ts';
import {shownId} from '../../util/id-part.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {jsonDocument} from '../cli/listing.ts';
import {callLines, fact, markedLines, quotedLines} from './request-text.ts';

type Scope = ParamsOf<'approvals.allow'>['scope'];

/** Shows a request, has it confirmed, and allows exactly what was shown (docs/approvals.md, Answer from another terminal). */
export async function allowApproval(
	context: CommandContext,
	client: ControlClient,
	{id: typed, scope}: {readonly id: string; readonly scope: Scope},
): Promise<ExitCode> {
	const {signal} = context;
	const {request, end} = await client.call('approvals.show', {id: typed}, {signal});
	if (!request) {
		return reportAnswer(context, {id: typed, done: 'Allowed.', answered: {answer: 'already-settled', end}});
	}

	assertOffered(request, scope);
	context.printExact(`${requestLines(request).join('\n')}\n`);
	const {id, review_hash: shown = request.arguments_hash} = request;
	const question = `Allow ${questionOf[scope]}?`;
	const decision = await confirmShown(context, {question, shown, request});
	if (decision === 'no') {
		context.stderr('Nothing was allowed.\n');
		return 1;
	}

	const answered =
		decision === 'changed'
			? ({answer: 'changed', end: null} as const)
			: await client.call('approvals.allow', {id, scope, arguments_hash: shown}, {signal});
	return reportAnswer(context, {id, done: 'Allowed.', answered});
}

/** Throws `bad_usage`: the gateway would refuse such an answer. */
function assertOffered({rule, scopes}: WholeApprovalJson, scope: Scope): void {
	if (!scopes.includes(scope)) {
		const message =
			rule === null
				? 'This request belongs to no run, so --scope run means nothing for it'
				: `It can only be allowed once: ${rule}`;
		throw new Problem('bad_usage', {message});
	}
}

const questionOf: Readonly<Record<Scope, string>> = {
	once: 'this call once',
	run: 'this tool, with any arguments, until its run ends',
	session: 'this tool, with any arguments, until the gateway stops',
	always: 'this tool, with any arguments, always',
};

/** The facts about a request that a person has to know to say yes to it. */
type Reviewed = Pick<WholeApprovalJson, 'cut_bytes' | 'marked_characters'> & {readonly arguments_hash?: string};

/**
A person's yes to what was just printed: asked for at a terminal, given by `--hash` without one. `changed`: the hash is that of something else.
Throws `bad_usage` when neither is there, and where not all of it could be printed.
*/
export async function confirmShown(
	context: Pick<CommandContext, 'flags' | 'confirm'>,
	{
		question,
		shown,
		request = unmarked,
		hashOf = 'the `arguments_hash` of what you have read',
	}: {
		readonly question: string;
		/** The hash that the answer has to carry. */
		readonly shown: string;
		readonly request?: Reviewed;
		readonly hashOf?: string;
	},
): Promise<'yes' | 'no' | 'changed'> {
	const {hash} = context.flags;
	const {cut_bytes: cutBytes, marked_characters: markedCharacters} = request;
	if (hash !== undefined && hash !== shown) {
		if (hash === request.arguments_hash) {
			throw unreviewed();
		}

		return 'changed';
	}

	if (cutBytes > 0 && (hash === undefined || markedCharacters > 0)) {
		throw new Problem('bad_usage', {
			message: 'It is too long to print, so a yes here would be to something unread; read it in the dashboard with v',
		});
	}

	const answer = await context.confirm(question);
	if (answer !== 'no-terminal') {
		return answer === 'no' ? answer : confirmMarked(context, markedCharacters);
	}

	if (hash === undefined) {
		throw new Problem('bad_usage', {
			message: `Without a terminal it needs --hash HASH, ${markedCharacters > 0 ? 'the one above, when you have read what is marked' : hashOf}`,
		});
	}

	return 'yes';
}

const unmarked: Reviewed = {cut_bytes: 0, marked_characters: 0};

/** The second question at a terminal, where characters are marked. */
async function confirmMarked(
	context: Pick<CommandContext, 'confirm'>,
	markedCharacters: number,
): Promise<'yes' | 'no'> {
	const [words] = markedWords({markedCharacters});
	return words === undefined || (await context.confirm(`Are you sure? ${words}.`)) === 'yes' ? 'yes' : 'no';
}

/** All of a request as text. */
function requestLines(request: WholeApprovalJson): readonly string[] {
	const {id, kind, trust, hints, payload_paths: paths} = request;
	return [
		`Request ${shownId(id)}: ${kind === 'sampling' ? 'the server wants an answer of your model' : 'a tool call'}, server ${trust}`,
		...callLines(request),
		...(hints['destructiveHint'] === true ? ['The server marks this as destructive.'] : []),
		...(hints['openWorldHint'] === true ? ['The server says that this reaches other systems.'] : []),
		...fact('Copied word for word from the untrusted payload', paths.join(', ')),
		...fact('A rule asks, so it can only be allowed once', request.rule ?? ''),
		...quotedLines('The definition has changed since it was allowed', request.definition_change),
		...quotedLines('Description by the server', request.description),
		...markedLines(request),
	];
}

/** Says what became of an answer. 0 only when it decided. */
export function reportAnswer(
	context: Pick<CommandContext, 'flags' | 'stdout' | 'stderr'>,
	{id, done, answered}: {readonly id: string; readonly done: string; readonly answered: AnsweredJson},
): ExitCode {
	const {answer, end} = answered;
	if (context.flags.json) {
		context.stdout(jsonDocument({id, answer, end}));
	}

	switch (answer) {
		case 'resolved':
			if (end) {
				context.stderr(
					`sluice: Allowed, but the call was not sent${end.message === null ? '' : `: ${safeText(end.message)}`}\n`,
				);
				return 1;
			}

			context.stderr(`${done}\n`);
			return 0;
		case 'already-settled':
			context.stderr(`sluice: ${lateText(id, end)}\n`);
			return 1;
		case 'changed':
			context.stderr('sluice: That is not the hash of what waits now; nothing was allowed. Review it again.\n');
			return 1;
		case 'not-offered':
			context.stderr('sluice: The request cannot be allowed for that long; nothing was allowed. Leave --scope out.\n');
			return 1;
	}
}

/** What became of a request before this answer, and by whom. */
function lateText(id: string, end: ApprovalEndJson | null): string {
	const name = safeText(id, {maximumCharacters: 100});
	if (!end) {
		return `Nothing with the id ${name} is waiting for an answer any more.`;
	}

	const by = end.by === null ? '' : ` by ${safeText(end.by, {maximumCharacters: 100})}`;
	const message = end.message === null ? '' : `: ${safeText(end.message)}`;
	return `The request ${name} is not waiting any more: ${endWords(end)}${by}${message}.`;
}

function endWords({outcome, scope}: ApprovalEndJson): string {
	switch (outcome) {
		case 'approved':
			return `it was allowed (${scope ?? 'once'})`;
		case 'denied':
			return 'it was denied';
		case 'timed_out':
			return 'nobody answered in time';
		case 'no_channel':
			return 'nobody could be asked';
		case 'cancelled':
			return 'it was withdrawn, because its caller went away, its server was removed or the gateway stops';
	}
}
