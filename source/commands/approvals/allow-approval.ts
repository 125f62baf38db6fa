import {type AnsweredJson, type ApprovalEndJson, type FullApprovalJson} from '../../state/json/approval.ts';
import {type CommandClient} from '../../control/client.ts';
import {type ParamsOf} from '../../state/api.ts';
import {unreviewed} from '../../control/review-hash.ts';
import {decisionFacts, riskReasons} from '../../state/decision.ts';
import {shownId} from '../../util/id-part.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {reportDeclined} from '../cli/run-command.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {jsonDocument} from '../cli/listing.ts';
import {callLines, claimLines, decidedCall, lowerLines, reviewLines, type ShownCall} from './request-text.ts';

type Scope = ParamsOf<'approvals.allow'>['scope'];

/** Shows a request, has it confirmed, and allows exactly what was shown (docs/approvals.md, Answer from another terminal). */
export async function allowApproval(
	context: CommandContext,
	client: CommandClient,
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
	const question = `Allow ${questionOf(request, scope)}?`;
	const decision = await confirmShown(context, {question, shown, request});
	if (decision === 'no') {
		return reportDeclined(context, 'Nothing was allowed.');
	}

	const answered =
		decision === 'changed'
			? ({answer: 'changed', end: null} as const)
			: await client.call('approvals.allow', {id, scope, arguments_hash: shown}, {signal});
	return reportAnswer(context, {id, done: 'Allowed.', answered});
}

/** Throws `bad_usage`: the gateway would refuse such an answer. */
function assertOffered({kind, rule, scopes}: FullApprovalJson, scope: Scope): void {
	if (!scopes.includes(scope)) {
		if (kind === 'limit') {
			throw new Problem('bad_usage', {message: 'A limit can only be lifted once, so it is allowed without --scope'});
		}

		throw new Problem('bad_usage', {message: refusalOf({rule, scopes})});
	}
}

function refusalOf({rule, scopes}: Pick<FullApprovalJson, 'rule' | 'scopes'>): string {
	if (rule !== null) {
		return `It can only be allowed once: ${rule}`;
	}

	if (scopes.length === 0) {
		return 'It can only be denied, because not all of it can be shown';
	}

	return scopes.length === 1
		? 'Shell commands, edits and network calls of a program can only be allowed once, or by a rule'
		: 'This request belongs to no run, so it cannot be allowed with --scope run';
}

function questionOf(request: FullApprovalJson, scope: Scope): string {
	const {subject, liftedFor} = decisionFacts(decidedCall(request));
	if (liftedFor !== undefined) {
		return `more for ${liftedFor}: ${request.tool} is lifted`;
	}

	const every = subject === 'this tool' ? 'this tool, with any arguments' : 'its requests, with any content';
	const texts: Readonly<Record<Scope, string>> = {
		once: 'this call once',
		run: `${every}, until its run ends`,
		session: `${every}, until the gateway stops`,
		always: `${every}, always`,
	};
	return texts[scope];
}

/**
A person's yes to what was just printed: asked for at a terminal, given by `--hash` without one. `changed`: the hash is that of something else.
Throws `bad_usage` when neither is there, and where not all of it could be printed.
*/
export async function confirmShown(
	context: Pick<CommandContext, 'flags' | 'confirm'>,
	{
		question,
		shown,
		request,
		hashOf = 'the `arguments_hash` of the request you have read',
	}: {
		readonly question: string;
		/** The hash that the answer has to carry. */
		readonly shown: string;
		/** The call whose facts were printed. */
		readonly request?: ShownCall;
		readonly hashOf?: string;
	},
): Promise<'yes' | 'no' | 'changed'> {
	const {hash} = context.flags;
	const {cut_bytes: cutBytes, marked_characters: markedCharacters} = request ?? unmarked;
	if (hash !== undefined && hash !== shown) {
		if (hash === request?.arguments_hash) {
			throw unreviewed();
		}

		return 'changed';
	}

	if (cutBytes > 0 && (hash === undefined || markedCharacters > 0)) {
		throw new Problem('bad_usage', {
			message: 'It is too long to print here; read it in the dashboard with v, and answer it there',
		});
	}

	const answer = await context.confirm(question);
	if (answer !== 'no-terminal') {
		const reasons = request ? riskReasons(decidedCall(request)) : [];
		return answer === 'no' || reasons.length === 0 ? answer : confirmAgain(context, reasons);
	}

	if (hash === undefined) {
		throw new Problem('bad_usage', {
			message: `Without a terminal it needs --hash HASH, ${markedCharacters > 0 ? 'the hash above, once you have read the marked characters' : hashOf}`,
		});
	}

	return 'yes';
}

const unmarked = {cut_bytes: 0, marked_characters: 0};

/** The second question at a terminal, where a call is risky. */
async function confirmAgain(
	context: Pick<CommandContext, 'confirm'>,
	reasons: readonly string[],
): Promise<'yes' | 'no'> {
	return (await context.confirm(`Are you sure? ${reasons.join(', ')}.`)) === 'yes' ? 'yes' : 'no';
}

/** All of a request as text. */
export function requestLines(request: FullApprovalJson): readonly string[] {
	const {id, kind, trust} = request;
	const facts = decisionFacts(decidedCall(request));
	return [
		`Request ${shownId(id)}: ${wanted(kind)}, server ${trust}`,
		...callLines(request),
		...claimLines(facts),
		...lowerLines(facts, ''),
		...reviewLines(request),
	];
}

function wanted(kind: string): string {
	switch (kind) {
		case 'sampling':
			return 'the server wants an answer of your model';
		case 'limit':
			return 'a limit is reached';
		default:
			return 'a tool call';
	}
}

/** Says what became of an answer. 0 only when it decided. */
export function reportAnswer(
	context: Pick<CommandContext, 'flags' | 'stdout' | 'stderr'>,
	{id, done, answered}: {readonly id: string; readonly done: string; readonly answered: AnsweredJson},
): ExitCode {
	const {answer, end, call} = answered;
	if (context.flags.json) {
		context.stdout(jsonDocument({id, answer, end, ...(call && {call})}));
	}

	switch (answer) {
		case 'resolved':
			if (end) {
				context.stderr(
					`sluice: Allowed, but the call was not sent${end.message === null ? '' : `: ${safeText(end.message)}`}\n`,
				);
				return 1;
			}

			context.stderr(`${done}${call === 'waiting' ? ' The call still waits for its turn.' : ''}\n`);
			return 0;
		case 'already-settled':
			context.stderr(`sluice: ${lateText(id, end)}\n`);
			return 1;
		case 'changed':
			context.stderr('sluice: That is not the hash of the waiting request; nothing was allowed. Review it again.\n');
			return 1;
		case 'not-offered':
			context.stderr(
				'sluice: The request cannot be allowed for that long; nothing was allowed. Repeat the command without --scope.\n',
			);
			return 1;
	}
}

/** The earlier end of a request, with the one who decided. */
function lateText(id: string, end: ApprovalEndJson | null): string {
	const name = safeText(id, {maximumCharacters: 100});
	if (!end) {
		return `No waiting request has the id ${name}`;
	}

	const by = end.by === null ? '' : ` by ${safeText(end.by, {maximumCharacters: 100})}`;
	const message = end.message === null ? '' : `: ${safeText(end.message)}`;
	return `The request ${name} is no longer waiting: ${endWords(end)}${by}${message}`;
}

function endWords({outcome, scope}: ApprovalEndJson): string {
	switch (outcome) {
		case 'approved':
			return `it was allowed (${scope ?? 'once'})`;
		case 'denied':
			return 'it was denied';
		case 'timed_out':
			return 'it was not answered in time';
		case 'no_channel':
			return 'there was no one to ask';
		case 'cancelled':
			return 'it was withdrawn, because its caller went away, its server was removed or the gateway is stopping';
	}
}
