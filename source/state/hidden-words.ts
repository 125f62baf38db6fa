import {type HiddenArguments} from './approval-event.ts';

/** What a card does not show, in words: `88,889 B not shown`, `1 value masked`. Empty when it shows everything. */
export function hiddenWords({cutBytes, maskedValues}: Omit<HiddenArguments, 'sentBytes'>): readonly string[] {
	return [
		...(cutBytes > 0 ? [`${counted(cutBytes)} B not shown`] : []),
		...(maskedValues > 0 ? [`${counted(maskedValues)} ${maskedValues === 1 ? 'value' : 'values'} masked`] : []),
	];
}

function counted(count: number): string {
	return count.toLocaleString('en-US');
}
