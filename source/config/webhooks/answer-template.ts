import {parseJson} from '../../util/json-text.ts';
import {templateVariable, unclosedBraces} from '../../util/templates/template-variables.ts';
import {type RespondConfig} from './respond-entry.ts';

/** The reason that the template of an answer cannot be parsed as its content type; undefined if it is sound. */
export function answerTemplateFault({body, contentType}: RespondConfig): string | undefined {
	if (body === undefined) {
		return undefined;
	}

	switch (contentType) {
		case 'text/plain': {
			const [open] = unclosedBraces(body);
			return open === undefined ? undefined : `{${open} has no closing brace`;
		}

		case 'application/json':
			return isJsonTemplate(body)
				? undefined
				: 'It is not JSON with variables in place of values, or inside of texts and not behind a backslash';
		case 'application/xml':
		case 'text/xml':
			return isXmlTemplate(body)
				? undefined
				: 'It is not one XML element with variables in its texts and quoted attributes alone';
	}
}

/** The two values fit together only where a whole value does, or a part of a text: `1{n}` and a variable behind a backslash do not. */
function isJsonTemplate(body: string): boolean {
	return ['0', 'null'].every(value => parseJson(body.replaceAll(templateVariable, value)) !== undefined);
}

const name = String.raw`[A-Za-z_:][\w:.-]*`;
const entity = String.raw`&(?:amp|lt|gt|quot|apos|#\d+|#x[\dA-Fa-f]+);`;
const attribute = String.raw`\s+${name}\s*=\s*(?:"(?:[^"<&]|${entity})*"|'(?:[^'<&]|${entity})*')`;
const token = new RegExp(
	[
		String.raw`<\?xml[^?{}]*\?>`,
		'<!--(?:(?!--)[^{}])*-->',
		`</(?<end>${name})\\s*>`,
		`<(?<start>${name})(?:${attribute})*\\s*(?<empty>/?)>`,
		`(?<text>(?:[^<&]|${entity})+)`,
	].join('|'),
	'uy',
);

/** True for one element with everything in it closed. It has no document type and no CDATA, which escapes do not hold in. */
function isXmlTemplate(body: string): boolean {
	const open: string[] = [];
	let elements = 0;
	let at = 0;
	while (at < body.length) {
		token.lastIndex = at;
		const found = token.exec(body);
		if (!found) {
			return false;
		}

		at = token.lastIndex;
		const {start, end, empty, text} = found.groups ?? {};
		if (text !== undefined && open.length === 0 && text.trim() !== '') {
			return false;
		}

		if (end !== undefined && open.pop() !== end) {
			return false;
		}

		if (start !== undefined) {
			elements += open.length === 0 ? 1 : 0;
			if (empty === '') {
				open.push(start);
			}
		}
	}

	return elements === 1 && open.length === 0;
}
