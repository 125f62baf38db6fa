import {onTestFinished} from 'vitest';
import {type Ask, createApprovalQueue} from '../../source/approvals/approval-queue.ts';
import {createWaitingTime} from '../../source/approvals/waiting-time.ts';
import {createQuestionQueue, type Question} from '../../source/approvals/question-queue.ts';
import {createRequestRows} from '../../source/approvals/request-rows.ts';
import {createSharedRequests} from '../../source/approvals/shared-requests.ts';
import {type Journal} from '../../source/journal/journal.ts';
import {type JournalPlace, openJournalAnywhere} from '../../source/journal/open-journal.ts';
import {systemClock} from '../../source/util/clock.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {administer} from '../helpers/postgres-server.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {request} from './open-queue.ts';

const limits = () => ({maxAgeDays: 90, maxBytes: 1e9});

/** The requests of a gateway among others on one journal, without the rest of it. Its clock stands still. */
export async function openNode(
	name: string,
	place: JournalPlace,
	{instead, start = 1_700_000_000_000}: {readonly instead?: Partial<Journal>; readonly start?: number} = {},
) {
	const opened = await openJournalAnywhere({...place, clock: systemClock, limits});
	const journal = {...opened, ...instead};
	const clock = createFakeClock(start);
	const {publish, ofType} = recordEvents();
	const time = createWaitingTime(clock);
	const rows = createRequestRows({clock, journal, profile: 'default', node: () => name});
	const settings = {timeoutSeconds: 300, unattended: 'hold'} as const;
	const approvals = createApprovalQueue({clock, time, publish, settings, rows: rows.approvals});
	const questions = createQuestionQueue({clock, time, publish, hasConsole: () => true, rows: rows.questions});
	const requests = createSharedRequests({
		rows,
		approvals,
		questions,
		journal,
		clock,
		publish,
		profile: 'default',
		checkForm: async (_, {values}) =>
			values['day'] === 'never' ? {kind: 'unfit', problem: 'day is no date'} : {kind: 'fit', values},
	});
	requests.start();
	onTestFinished(async () => {
		approvals.close();
		questions.close();
		requests.close();
		await opened.close();
	});
	return {
		journal,
		clock,
		time,
		ofType,
		requests,
		approvals,
		questions,
		/** Asks, and resolves once the request waits. */
		async ask(changes: Partial<Parameters<Ask>[0]> = {}, options: Partial<Parameters<Ask>[1]> = {}) {
			const waiting = Promise.withResolvers<string>();
			const outcome = approvals.ask({...request, ...changes}, {...options, onWaiting: waiting.resolve});
			return {outcome, id: await Promise.race([waiting.promise, outcome.then(() => 'none')])};
		},
		async askQuestion() {
			const outcome = questions.ask(question, {timeoutSeconds: 300});
			while (questions.waiting().length === 0) {
				await clock.settle();
			}

			return {outcome, id: questions.waiting().at(-1)?.id ?? 'none'};
		},
		/** Looks at the rows of the others; resolves once it has. */
		async look() {
			await clock.advance(1000);
			// The next look is due only when this one has come to its end.
			while (clock.open() === waitingTimers()) {
				await clock.settle();
			}
		},
	};

	/** The requests that wait here and whose time runs. */
	function waitingTimers(): number {
		return [...approvals.pending(), ...questions.waiting()].filter(({expiresAt}) => expiresAt !== null).length;
	}
}

/** Two gateways on a journal that nobody else has. */
export async function openTwo() {
	const place = await newPostgresPlace();
	const [one, two] = await Promise.all([openNode('web-1', place), openNode('web-2', place)]);
	const {url, schema} = place.database;
	return {one, two, sql: (text: string) => administer(url, `SET search_path = ${schema}`, text)};
}

const question: Question = {
	kind: 'elicitation',
	asker: 'booking',
	message: 'Which day?',
	fields: [{kind: 'text', name: 'day', title: 'Day', description: '', need: 'required', format: 'date'}],
	origin: {kind: 'command-line'},
};
