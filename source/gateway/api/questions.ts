import {type QuestionEndJson} from '../../state/json/question.ts';
import {type GatewayHandlers} from '../../control/methods.ts';
import {questionToJson} from '../../control/question-wire.ts';
import {type ResultOf} from '../../state/api.ts';
import {nameId, readNamedId, shownId} from '../../util/id-part.ts';
import {Problem} from '../../util/problem.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {type QuestionAnswer} from '../../state/person-answers.ts';
import {type QuestionDetails} from '../../state/person-event.ts';
import {type Caller, type HandlerContext} from './handler-context.ts';

type QuestionHandlers = Pick<GatewayHandlers, 'questions.list' | 'questions.show' | 'questions.answer'>;

/** Lists and answers questions of servers and runs of the listed profiles (docs/tool-servers.md, Elicitation). */
export function questionHandlers({
	caller,
	listed: profiles,
	live,
}: Pick<HandlerContext, 'caller' | 'live'> & {
	readonly listed: ReadonlyArray<
		Pick<HandlerContext['profile'], 'tools' | 'name'> & {
			readonly context: Pick<ProfileContext, 'environment' | 'publish'>;
		}
	>;
}): QuestionHandlers {
	const waiting = () =>
		profiles.flatMap(({tools: {requests}, context}) =>
			requests.questions().map(question => ({question, requests, context})),
		);
	const find = (typed: string) => {
		const asked = waiting();
		const ids = asked.map(({question}) => question.id);
		const id = readNamedId(ids, typed);
		return asked.find(({question}) => question.id === id);
	};

	/** The end of a question of one of the profiles; found by its id or a part of it. */
	const endOf = (typed: string): QuestionEndJson => {
		const ended = live.current().answered.flatMap(row => (row.type === 'question.settled' ? [row] : []));
		const own = ended.filter(({profile}) => profiles.some(({name}) => name === profile));
		const ids = own.map(({id}) => id);
		const named = nameId(ids, typed);
		const end = named.kind === 'found' ? own.findLast(({id}) => id === named.id) : undefined;
		return end ? {outcome: end.outcome, by: end.by ?? null} : null;
	};

	/** A console hears of an answer that changed nothing as of a refusal. */
	const refuseLate = (id: string, answered: ResultOf<'questions.answer'>) => {
		if (caller.kind === 'console' && answered.answer === 'already-settled') {
			const message = `The question ${shownId(id)} is no longer waiting; nothing was done`;
			throw new Problem('bad_usage', {message, level: 'warning'});
		}

		if (caller.kind === 'console' && answered.answer === 'unfit') {
			throw new Problem('invalid_arguments', {message: `The form has invalid fields: ${answered.problem ?? ''}`});
		}

		return answered;
	};

	return {
		'questions.list': () => waiting().map(({question}) => questionToJson(question)),
		'questions.show'({id: typed}) {
			const question = find(typed)?.question;
			if (!question) {
				return {question: null, end: endOf(typed)};
			}

			const {id, kind, asker, message, fields, url = null} = question;
			return {question: {id, kind, asker, message, fields: [...fields], url}, end: null};
		},
		async 'questions.answer'({id: typed, answer}) {
			const found = find(typed);
			if (!found) {
				return refuseLate(typed, {answer: 'already-settled', problem: null, end: endOf(typed)});
			}

			const open = addressIn(answer, found.question);
			const result = await found.requests.answerQuestion({id: found.question.id, answer, by: caller.name});
			if (open !== undefined && result.kind === 'resolved') {
				await showPage(open, caller, found.context);
			}

			const end = result.kind === 'already-settled' ? endOf(found.question.id) : null;
			return refuseLate(typed, {answer: result.kind, problem: result.kind === 'unfit' ? result.problem : null, end});
		},
	};
}

/** The address that an answer wants to have opened. Throws `bad_usage` for another one than that of the question. */
function addressIn(answer: QuestionAnswer, {url}: Pick<QuestionDetails, 'url'>): string | undefined {
	const open = answer.kind === 'accept' ? answer.open : undefined;
	if (open !== undefined && open !== url?.address) {
		throw new Problem('bad_usage', {message: 'That is not the address of the question; nothing was done'});
	}

	return open;
}

/** Opens an address for a console of this process; others have a browser of their own. A failure is logged. */
async function showPage(
	address: string,
	caller: Caller,
	{environment, publish}: Pick<ProfileContext, 'environment' | 'publish'>,
): Promise<void> {
	if (caller.kind !== 'console' || caller.browser !== 'gateway') {
		return;
	}

	const browser = await import('../../oauth/flows/open-browser.ts');
	if (!(await browser.showInBrowser(address, environment.variables))) {
		publish({type: 'log', level: 'warning', area: 'console', text: browser.notOpened});
	}
}
