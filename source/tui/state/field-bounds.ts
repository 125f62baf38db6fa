import {type AnyField} from './form.ts';

/** What a field takes, in a few words. */
export function fieldBounds(field: AnyField): string {
	switch (field.kind) {
		case 'text':
			return [
				field.format === undefined ? '' : formatText[field.format],
				rangeText(field.minimumLength, field.maximumLength, 'characters'),
				field.pattern === undefined ? '' : `matches ${field.pattern}`,
			]
				.filter(part => part !== '')
				.join(', ');
		case 'number':
		case 'integer': {
			const kind = field.kind === 'integer' ? 'whole number' : 'number';
			return [kind, rangeText(field.minimum, field.maximum, '')].filter(part => part !== '').join(', ');
		}

		case 'boolean':
			return '';
		case 'choice':
			return 'one of';
		case 'choices':
			return ['any of', rangeText(field.minimumItems, field.maximumItems, 'picked')].filter(Boolean).join(', ');
		case 'json':
			return 'JSON';
	}
}

const formatText = {
	email: 'e-mail address',
	uri: 'address with its scheme',
	date: 'date as 2026-12-31',
	'date-time': 'time as 2026-12-31T12:00:00Z',
} as const;

function rangeText(least: number | undefined, most: number | undefined, noun: string): string {
	if (least === undefined && most === undefined) {
		return '';
	}

	const range =
		least === undefined ? `at most ${most}` : most === undefined ? `at least ${least}` : `${least} to ${most}`;
	return `${range} ${noun}`.trim();
}
