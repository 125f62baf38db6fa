import {type ControlHandlers} from '../../control/methods.ts';
import {type QuestionEndJson, questionToJson} from '../../control/question-wire.ts';
import {type LiveSnapshot} from '../../state/gathered-snapshot.ts';
import {nameId, readNamedId} from '../../util/id-part.ts';
import {type Profile} from '../profiles/profiles.ts';

type QuestionMethods = Pick<ControlHandlers, 'questions.list' | 'questions.show' | 'questions.answer'>;

/** What servers and runs of these profiles ask a person, for callers of the control socket (docs/tool-servers.md, Elicitation). */
export function questionMethods(
	profiles: ReadonlyArray<Pick<Profile, 'tools' | 'name'>>,
	live: Pick<LiveSnapshot, 'current'>,
): QuestionMethods {
	const waiting = () =>
		profiles.flatMap(({tools: {requests}}) => requests.questions().map(question => ({question, requests})));
	const find = (typed: string) => {
		const asked = waiting();
		const ids = asked.map(({question}) => question.id);
		const id = readNamedId(ids, typed);
		return asked.find(({question}) => question.id === id);
	};

	/** How a question ended that one of the profiles was asked. */
	const endOf = (typed: string): QuestionEndJson => {
		const ended = live.current().answered.flatMap(row => (row.type === 'question.settled' ? [row] : []));
		const own = ended.filter(({profile}) => profiles.some(({name}) => name === profile));
		const ids = own.map(({id}) => id);
		const named = nameId(ids, typed);
		const end = named.kind === 'found' ? own.findLast(({id}) => id === named.id) : undefined;
		return end ? {outcome: end.outcome, by: end.by ?? null} : null;
	};

	return {
		'questions.list': () => waiting().map(({question}) => questionToJson(question)),
		'questions.show'({id: typed}) {
			const question = find(typed)?.question;
			if (!question) {
				return {question: null, end: endOf(typed)};
			}

			const {id, kind, asker, message, fields} = question;
			return {question: {id, kind, asker, message, fields: [...fields]}, end: null};
		},
		async 'questions.answer'({id: typed, answer}) {
			const found = find(typed);
			if (!found) {
				return {answer: 'already-settled', problem: null, end: endOf(typed)};
			}

			const result = await found.requests.answerQuestion({id: found.question.id, answer, by: 'cli'});
			const end = result.kind === 'already-settled' ? endOf(found.question.id) : null;
			return {answer: result.kind, problem: result.kind === 'unfit' ? result.problem : null, end};
		},
	};
}
