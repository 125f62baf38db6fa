import {type ApprovalCard} from '../state/approval-event.ts';
import {type JsonValue} from '../util/json-text.ts';

/** Why allowing needs the key twice, in words; empty when once is enough. `allShown` tells whether names and every argument line were on the screen. */
export function reasonsToAskTwice(card: ApprovalCard, allShown: boolean): readonly string[] {
	return [
		card.hints.destructiveHint === true ? 'destructive' : '',
		card.hints.openWorldHint === true ? 'open world' : '',
		allShown ? '' : 'not all of it was on the screen',
		holdsCutText(card.arguments) ? 'a value is shown cut' : '',
	].filter(reason => reason !== '');
}

/** Whether a value carries the mark that `safeText` leaves where it cut. */
function holdsCutText(value: JsonValue): boolean {
	if (typeof value === 'string') {
		return /… [\d,]+ more$/u.test(value);
	}

	return typeof value === 'object' && value !== null && Object.values(value).some(holdsCutText);
}
