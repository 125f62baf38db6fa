import {randomUUID} from 'node:crypto';
import {type ElicitRequestParams, type ElicitResult} from '@modelcontextprotocol/client';
import * as z from 'zod';
import {type AskCaller} from '../../approvals/ask-caller.ts';
import {type HoldCheck} from '../../approvals/hold.ts';
import {
	type AskPerson,
	type Question,
	type QuestionOutcome,
	type QuestionQueue,
} from '../../approvals/question-queue.ts';
import {createBoundedMap} from '../../util/limits/bounded-map.ts';
import {isJsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {readUrl} from './asked-url.ts';
import {readForm} from './elicitation-form.ts';
import {valuesCheck} from './form-values.ts';
import {type OpenRequests} from './open-requests.ts';

export type ElicitationOptions = {
	readonly server: string;
	readonly timeoutSeconds: number;
	/** The use of addresses: a person is asked to open them, or they are declined without asking. */
	readonly pages: 'asked' | 'declined';
	readonly askPerson: AskPerson;
	/** The server says that the page of a question is finished with. */
	readonly pageFinished: QuestionQueue['finish'];
	readonly hold: Pick<HoldCheck, 'pass'>;
	readonly requests: Pick<OpenRequests, 'origin' | 'caller' | 'onBehalf' | 'whileAsking'>;
	/** Logs a line about the server. */
	readonly warn: (text: string) => void;
};

/** The values that the protocol allows in a response; the form allows no others. */
const contentSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

const maxMessageCharacters = 4000;

/** A server with more open requests than this is not waiting for responses. */
const maxOpenForms = 5;

/** More pages than a person finishes with. */
const maxOpenPages = 100;

/** Answers an elicitation request of a server (docs/tool-servers.md, Elicitation). Never rejects. */
type Elicit = (params: ElicitRequestParams, signal: AbortSignal) => Promise<ElicitResult>;

/**
Has a person open the pages without which a server of 2025-11-25 refuses a call, and resolves once the server or the person says that they are finished
with. Rejects with `call_failed` and the reason.
*/
export type OpenPages = (asked: readonly unknown[], signal: AbortSignal) => Promise<void>;

/** The requests of one server to a person. */
export type Elicitation = Pick<ElicitationOptions, 'pages'> & {
	readonly elicit: Elicit;
	/** The server says that the page of an earlier request is finished with; unknown ids mean nothing. */
	readonly complete: (elicitationId: string) => void;
	readonly openPages: OpenPages;
};

/** A page that was asked for, by the id of its server. */
type OpenPage = {
	/** The question at the consoles. */
	shown?: Pick<Question, 'asker'> & {readonly id: string};
	/** Or the program that was asked, and the id under which it knows the page. */
	passedOn?: {readonly caller: AskCaller; readonly elicitationId: string};
	readonly finished: AbortController;
};

type Asked = Pick<Question, 'kind' | 'message' | 'fields' | 'url'>;
type Ask = (asked: Asked, signal: AbortSignal, page?: OpenPage) => Promise<ElicitResult>;
type AskForPage = (asked: PageRequest, page: OpenPage, signal: AbortSignal) => Promise<ElicitResult>;

/**
Creates the handler of one server: a form is shown to the person, and so is an address where `pages` says so. The server learns whether the person
accepted, declined or cancelled; timeouts and missing consoles count as cancelled.
*/
export function createElicitation(options: ElicitationOptions): Elicitation {
	const {server, pages, pageFinished, warn} = options;
	const known = createBoundedMap<string, OpenPage>({max: maxOpenPages});
	const ask = createAsk(options);

	const askForPage: AskForPage = async (asked, page, signal) => {
		const reading = readUrl(asked.url);
		if (reading.kind === 'refused') {
			warn(`it asked a person to open an address that is never opened: ${reading.reason}`);
			return {action: 'decline'};
		}

		if (asked.elicitationId !== undefined) {
			known.set(asked.elicitationId, page);
		}

		return ask({kind: 'url', message: asked.message, fields: [], url: reading.url}, signal, page);
	};

	return {
		pages,
		async elicit(params, signal) {
			if (params.mode === 'url') {
				if (pages === 'asked') {
					return askForPage(params, {finished: new AbortController()}, signal);
				}

				warn('it asked a person to open an address, which `elicitation.url` does not allow');
				return {action: 'decline'};
			}

			const requested: unknown = params.requestedSchema;
			const form = isJsonObject(requested)
				? readForm(requested)
				: ({kind: 'refused', reason: 'it is not a form'} as const);
			if (form.kind === 'refused') {
				warn(`it asked with a form that cannot be shown: ${form.reason}`);
				return {action: 'decline'};
			}

			return ask({kind: 'elicitation', message: params.message, fields: form.fields}, signal);
		},
		complete(elicitationId) {
			const page = known.get(elicitationId);
			known.delete(elicitationId);
			page?.finished.abort();
			page?.passedOn?.caller.finished(page.passedOn.elicitationId);
			if (page?.shown) {
				pageFinished(page.shown);
			}
		},
		openPages: createOpenPages(server, {ask, askForPage}),
	};
}

/** Creates the way of the pages that a refused call needs: each is asked for, and then whether all are finished with. */
function createOpenPages(
	server: string,
	{ask, askForPage}: {readonly ask: Ask; readonly askForPage: AskForPage},
): OpenPages {
	const notOpened = (reason: string) =>
		new Problem('call_failed', {
			message: `${safeText(server)} wants a person to open a page first, and ${reason}. Nothing was done: the call can be repeated once the page is finished with`,
		});

	/** The server need not say when a page is finished with, so the person can. */
	const askWhetherFinished = async (waiting: readonly AbortSignal[], signal: AbortSignal): Promise<void> => {
		const allFinished = new AbortController();
		const check = () => waiting.every(({aborted}) => aborted) && allFinished.abort();
		waiting.forEach(one => one.addEventListener('abort', check, {once: true}));
		const message = 'The page is open. Once you are finished with it, accept this: the call is then sent again.';
		const asked = {kind: 'elicitation', message, fields: []} as const;
		const {action} = await ask(asked, AbortSignal.any([signal, allFinished.signal]));
		signal.throwIfAborted();
		if (!allFinished.signal.aborted && action !== 'accept') {
			throw notOpened('it was opened and not finished with');
		}
	};

	return async (asked, signal) => {
		const wanted = pageRequests.safeParse(asked);
		if (!wanted.success) {
			throw notOpened('it does not say which');
		}

		const waiting: AbortSignal[] = [];
		for (const request of wanted.data) {
			const page: OpenPage = {finished: new AbortController()};
			const {action} = await askForPage(request, page, signal);
			signal.throwIfAborted();
			if (action !== 'accept') {
				throw notOpened(action === 'decline' ? 'that was declined' : 'nobody did');
			}

			waiting.push(page.finished.signal);
		}

		if (waiting.some(({aborted}) => !aborted)) {
			await askWhetherFinished(waiting, signal);
		}
	};
}

/** A request for a page, as far as it is used. */
type PageRequest = {readonly message: string; readonly url: string; readonly elicitationId?: string | undefined};

const pageRequests = z
	.array(z.object({mode: z.literal('url'), message: z.string(), url: z.string(), elicitationId: z.string().max(200)}))
	.min(1)
	.max(maxOpenForms);

/** Creates the way of each question: to the program that called where it can ask, else to a person at a console. */
function createAsk(options: ElicitationOptions): Ask {
	const {server, timeoutSeconds, askPerson, hold, requests, warn} = options;
	const asker = safeText(server);
	let open = 0;

	/** The answer of a program is checked like the form of a person. */
	const askCaller = async (
		caller: AskCaller,
		question: Question,
		{signal, page}: AskContext,
	): Promise<QuestionOutcome> => {
		const elicitationId = randomUUID();
		if (page) {
			page.passedOn = {caller, elicitationId};
		}

		const message = `${asker}: ${question.message}`;
		const outcome = await caller.ask({...question, message}, {timeoutSeconds, signal, elicitationId});
		const checked = await checkedOutcome(outcome, question.fields);
		if (checked.kind === 'no_channel') {
			warn(`the program that called was asked and could not answer: ${checked.message}`);
		}

		return checked;
	};

	const askSomebody = async (question: Question, context: AskContext): Promise<QuestionOutcome> => {
		const {signal, page} = context;
		// Nothing leaves while everything is held; a person at a console may answer meanwhile, and the server gets it after the release.
		const work = {kind: 'elicitation', server, tool: 'elicitation/create', origin: question.origin} as const;
		const pass = () => hold.pass(work, {signal}).catch(() => 'withdrawn' as const);
		const called = requests.caller();
		const caller = called?.modes.has(question.kind === 'url' ? 'url' : 'form') ? called : undefined;
		if (caller && (await pass()) === 'withdrawn') {
			return {kind: 'cancelled'};
		}

		const check = await valuesCheck(question.fields);
		const onAsked = page && (({id}: {readonly id: string}) => void (page.shown = {id, asker}));
		const outcome = await requests.whileAsking(() =>
			caller ? askCaller(caller, question, context) : askPerson(question, {timeoutSeconds, signal, check, onAsked}),
		);
		return (await pass()) === 'withdrawn' ? {kind: 'cancelled'} : outcome;
	};

	return async ({message, ...asked}, signal, page) => {
		const origin = requests.origin();
		if (!origin) {
			warn('it asked a person something while no call was under way, so nobody was asked');
			return {action: 'cancel'};
		}

		if (open >= maxOpenForms) {
			warn(`it already had ${maxOpenForms} forms waiting, so nobody was asked`);
			return {action: 'cancel'};
		}

		open++;
		try {
			const shown = safeText(message, {maximumCharacters: maxMessageCharacters, multiline: true});
			const question = {...asked, asker, message: shown, origin};
			const outcome = await requests.onBehalf(signal, signal => askSomebody(question, {signal, page}));
			return elicitResult(outcome, asked.kind);
		} finally {
			open--;
		}
	};
}

type AskContext = {readonly signal: AbortSignal; readonly page: OpenPage | undefined};

/** The same outcome, with the values of a form complete; `no_channel` where they do not fit it. */
async function checkedOutcome(outcome: QuestionOutcome, fields: Question['fields']): Promise<QuestionOutcome> {
	if (outcome.kind !== 'answered') {
		return outcome;
	}

	const check = (await valuesCheck(fields))(outcome.values);
	return check.kind === 'fit'
		? {...outcome, values: check.values}
		: {kind: 'no_channel', message: `its answer does not fit the form: ${check.problem}`};
}

/** A page is accepted without values: the server learns what became of it by itself. */
function elicitResult(outcome: QuestionOutcome, kind: Question['kind']): ElicitResult {
	switch (outcome.kind) {
		case 'answered':
			return kind === 'url' ? {action: 'accept'} : {action: 'accept', content: contentSchema.parse(outcome.values)};
		case 'declined':
			return {action: 'decline'};
		case 'cancelled':
		case 'timed_out':
		case 'no_channel':
			return {action: 'cancel'};
	}
}
