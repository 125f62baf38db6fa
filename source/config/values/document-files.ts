import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {type JsonObject} from '../../util/json-text.ts';
import {createJsonStore} from './json-store.ts';
import {
	type DocumentName,
	documentNames,
	type Documents,
	type DocumentsOf,
	type StoredDocument,
} from './stored-document.ts';

/** The file of a document in the directory of its profile. */
export function documentPath(directory: string, name: DocumentName): string {
	return join(directory, `${name}.json`);
}

/** The documents of a profile as files. */
export const fileDocuments: DocumentsOf = ({directory}): Documents => {
	const opened = new Map<DocumentName, unknown>();
	return {
		open<Value extends JsonObject>(kind: Parameters<Documents['open']>[0]) {
			// One kind has one name, so this is the document of that kind.
			const document = (opened.get(kind.name) ?? createJsonStore({directory, ...kind})) as StoredDocument<Value>;
			opened.set(kind.name, document);
			return document;
		},
		onChange: () => () => undefined,
		refresh: async () => undefined,
	};
};

/** A document in a file, as it is written there. */
export type DocumentFile = {readonly name: DocumentName; readonly path: string; readonly content: string};

/** The documents of a profile that are in files. Rejects with `config_unreadable`. */
export async function readDocumentFiles(directory: string): Promise<readonly DocumentFile[]> {
	const files = await Promise.all(
		documentNames.map(async name => {
			const path = documentPath(directory, name);
			return existsSync(path) ? [{name, path, content: await readFile(path, 'utf8')}] : [];
		}),
	);
	return files.flat();
}
