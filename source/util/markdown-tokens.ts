import {Lexer, type MarkedToken, type Token, Tokenizer, type Tokens} from 'marked';

export type {MarkedToken, Token, Tokens};

/** Quotes, lists and formatting nested deeper than this are text. */
const deepestNesting = 8;

/** The time that formatting takes to find grows with the product of these. Where a longer paragraph is cut, formatting ends. */
const longestRun = 2000;
const maxDelimiters = 100;

/** The time of a quote grows with the square of this. A longer one is several quotes. */
const longestQuote = 4000;

/** A short row is padded to the columns of its table, so a wide table could need more than the memory. */
const maxColumns = 30;

const nothing = () => undefined;

/**
GitHub's Markdown (github.github.com/gfm) without constructs unsafe in untrusted text: HTML, tables of hundreds of columns, and references,
which could repeat one long URL endlessly. What programs write without Markdown in mind also stays text: lines indented by four blanks, a line
of dashes below another, a single tilde. Every method takes at most linear time in a list of equal blocks.
*/
class PlainTokenizer extends Tokenizer {
	override tag = nothing;
	override def = nothing;
	override code = nothing;
	override lheading = nothing;
	#depth = 0;

	/** A block of HTML is a paragraph. It is read as a whole: the lexer takes long to join paragraphs of a line each. */
	override html(source: string) {
		const found = super.html(source);
		if (!found) {
			return undefined;
		}

		const text = found.raw.trimEnd();
		// The lexer takes a token of any type here.
		return {type: 'paragraph', raw: found.raw, text, tokens: this.lexer.inline(text)} as never;
	}

	override blockquote(source: string) {
		return this.#nested(() => super.blockquote(firstLines(source)));
	}

	override list(source: string) {
		return this.#nested(() => super.list(source));
	}

	override table(source: string) {
		const header = source.slice(0, source.indexOf('\n') + 1);
		return header.split('|', maxColumns + 3).length > maxColumns + 2 ? undefined : super.table(source);
	}

	override del(source: string, masked: string, previous?: string) {
		return source.startsWith('~~') ? super.del(source, masked, previous) : undefined;
	}

	#nested<Result>(read: () => Result): Result | undefined {
		if (this.#depth >= deepestNesting) {
			return undefined;
		}

		this.#depth++;
		try {
			return read();
		} finally {
			this.#depth--;
		}
	}
}

class PlainLexer extends Lexer {
	#depth = 0;

	/** Reads a long run in pieces, so that a hostile one cannot make the search quadratic. */
	override inlineTokens(source: string, tokens: Token[] = []): Token[] {
		if (this.#depth >= deepestNesting) {
			tokens.push({type: 'text', raw: source, text: source});
			return tokens;
		}

		this.#depth++;
		for (let start = 0; start < source.length; ) {
			const end = endOfPiece(source, start);
			super.inlineTokens(source.slice(start, end), tokens);
			start = end;
		}

		this.#depth--;
		return tokens;
	}
}

/** The lines of a quote that are read at once; at least one. */
function firstLines(source: string): string {
	const end = source.lastIndexOf('\n', longestQuote);
	const cut = end > 0 ? end : source.indexOf('\n', longestQuote);
	return source.length > longestQuote && cut > 0 ? source.slice(0, cut + 1) : source;
}

/** Behind the last line break or blank of a piece, where it has one. */
function endOfPiece(source: string, start: number): number {
	const end = start + longestRun;
	let delimiters = 0;
	for (let index = start; index < Math.min(end, source.length); index++) {
		if (source[index] === '*' || source[index] === '_') {
			delimiters++;
		}

		if (delimiters > maxDelimiters) {
			return index;
		}
	}

	if (end >= source.length) {
		return source.length;
	}

	const piece = source.slice(start, end);
	const behind = piece.lastIndexOf('\n') + 1 || piece.lastIndexOf(' ') + 1;
	return behind > 0 ? start + behind : end;
}

/** The blocks of a Markdown text. Their `raw` texts, one after the other, are the whole text. */
export function markdownTokens(markdown: string): readonly Token[] {
	return new PlainLexer({gfm: true, tokenizer: new PlainTokenizer()}).lex(markdown);
}
