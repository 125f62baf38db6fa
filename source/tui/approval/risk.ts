import {type ApprovalRequest, hiddenWords} from '../../state/approval-event.ts';

/** Letters of scripts that run from right to left: some terminals put what stands between them in another order than it is sent. */
const rightToLeft =
	/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Why allowing a request that was read to its end needs the key twice, in words; empty when once is enough. */
export function reasonsToAskTwice(card: ApprovalRequest): readonly string[] {
	const {maskedValues} = card;
	return [
		card.hints.destructiveHint === true ? 'destructive' : '',
		card.hints.openWorldHint === true ? 'open world' : '',
		...hiddenWords({cutBytes: 0, maskedValues}),
		rightToLeft.test(JSON.stringify(card.arguments)) ? 'it holds letters that run right to left' : '',
	].filter(reason => reason !== '');
}
