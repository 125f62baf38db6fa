import {type GatewayHandlers} from '../../control/methods.ts';
import {deliveryToJson} from '../../control/to-wire.ts';
import {type DeliveryResult} from '../../delivery/deliver.ts';
import {type Journal, type OutgoingMessageRow} from '../../journal/journal.ts';
import {findNamedRow} from '../../journal/named-row.ts';
import {messageState} from '../../journal/rows/message-rows.ts';
import {type ParamsOf} from '../../state/api.ts';
import {type DeliveryEndJson, type DeliveryRowJson} from '../../state/json/event.ts';
import {Problem} from '../../util/problem.ts';
import {type Redactor} from '../../util/redact.ts';
import {safeText} from '../../util/safe-text.ts';
import {type DeliveryService} from '../services/delivery-service.ts';

type Sources = {
	readonly journal: Pick<Journal, 'listMessages' | 'findMessage' | 'findIds'>;
	readonly redactor: Pick<Redactor, 'redact'>;
	/** The profile of messages that name none. */
	readonly first: string;
	/** Lists have its messages alone; absent: those of all. */
	readonly profile?: string | undefined;
};

/** Handler of `deliveries list`. */
export function storedDeliveries({journal, redactor, first, profile}: Sources) {
	return async ({limit, state}: ParamsOf<'deliveries.list'>): Promise<readonly DeliveryRowJson[]> => {
		const states = state === undefined ? undefined : [messageState.parse(state)];
		const messages = await journal.listMessages({limit, ...(states && {states})});
		return messages
			.map(message => deliveryToJson(message, {first, redact: redactor.redact}))
			.filter(row => profile === undefined || row.profile === profile);
	};
}

/** Handlers of `deliveries retry` and `deliveries cancel`, by the id of a message or a part of it. */
export function deliveryHandlers({
	journal,
	redactor,
	delivery,
}: Pick<Sources, 'journal' | 'redactor'> & {
	readonly delivery: Pick<DeliveryService, 'sendMessageAgain' | 'cancel'>;
}): Pick<GatewayHandlers, 'deliveries.retry' | 'deliveries.cancel'> {
	const find = async (typed: string): Promise<OutgoingMessageRow> => {
		const id = await findNamedRow(journal, 'delivery', typed);
		const message = id === undefined ? undefined : await journal.findMessage(id);
		if (!message) {
			const shown = safeText(typed, {maximumCharacters: 100});
			throw new Problem('not_replayable', {message: `No message has the id ${shown}`});
		}

		return message;
	};

	const endOf = async (id: string, result?: DeliveryResult): Promise<DeliveryEndJson> => {
		const {state = 'unreadable', nextAt = null, detail} = (await journal.findMessage(id)) ?? {};
		const problem = result === undefined || result.kind === 'delivered' ? undefined : result.problem;
		const reason = problem?.detail ?? problem?.message ?? detail;
		return {id, state, next_at: nextAt, reason: reason === undefined ? null : redactor.redact(safeText(reason))};
	};

	return {
		async 'deliveries.retry'({id: typed, uncertain = false}) {
			const {id, state} = await find(typed);
			if (state === 'outcome_uncertain' && !uncertain) {
				const remedy = 'Look at the platform first; with `--yes` it is sent all the same';
				throw new Problem('outcome_uncertain', {message: 'The message may have arrived', remedy});
			}

			return endOf(id, await delivery.sendMessageAgain(id));
		},
		async 'deliveries.cancel'({id: typed}) {
			const {id} = await find(typed);
			await delivery.cancel(id);
			return endOf(id);
		},
	};
}
