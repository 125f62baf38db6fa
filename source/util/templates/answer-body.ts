/** The content types of answers to the senders of events. */
export const answerTypes = ['application/json', 'text/plain', 'application/xml', 'text/xml'] as const;

/** One of them. */
export type AnswerType = (typeof answerTypes)[number];

/** The body of an answer: texts of the content type, and the result goes between them. */
export type AnswerBody = {readonly contentType: AnswerType; readonly pieces: readonly string[]};

/** The body with this result. No result can end the text that it stands in. */
export function renderAnswerBody({contentType, pieces}: AnswerBody, result: string): string {
	return pieces.join(escapeText(result, contentType));
}

/** A text as the content of a JSON string, of an XML element or attribute, or as it is. */
export function escapeText(text: string, contentType: AnswerType): string {
	switch (contentType) {
		case 'application/json':
			return JSON.stringify(text.toWellFormed()).slice(1, -1);
		case 'text/plain':
			return text.toWellFormed();
		case 'application/xml':
		case 'text/xml':
			return text
				.toWellFormed()
				.replaceAll(notInXml, '\uFFFD')
				.replaceAll(/[&<>"']/gu, sign => `&#${sign.charCodeAt(0)};`);
	}
}

/** Characters that XML 1.0 has no way to write (w3.org/TR/xml, 2.2). */
const notInXml = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
