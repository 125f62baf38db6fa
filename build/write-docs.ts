import {readFile, writeFile} from 'node:fs/promises';
import {configSchemaText} from '../source/config/read/config-schema.ts';
import {withPart} from './generated-part.ts';
import {generatedParts} from './generated-parts.ts';

/** Writes config.schema.json at the root of the repository, and the generated parts of docs/ (`npm run docs`). */
const root = new URL('../', import.meta.url);
await writeFile(new URL('config.schema.json', root), configSchemaText());
for (const part of generatedParts) {
	const file = new URL(part.page, root);
	await writeFile(file, withPart(await readFile(file, 'utf8'), part));
}
