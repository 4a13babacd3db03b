// Makes the databases of one origin anew, as the `indexedDB` of a storage state describes them.
//
// A record has its value as plain JSON (`value`) or, where JSON cannot hold it, in an encoding that
// names kinds (`valueEncoded`); likewise its key, if the store does not take keys from its values.
async (databases) => {
  'use strict';
  const ARRAYS = {
    i8: Int8Array, ui8: Uint8Array, ui8c: Uint8ClampedArray, i16: Int16Array, ui16: Uint16Array,
    i32: Int32Array, ui32: Uint32Array, f32: Float32Array, f64: Float64Array, bi64: BigInt64Array,
    bui64: BigUint64Array,
  };
  const SPECIAL = { undefined, null: null, NaN, Infinity, '-Infinity': -Infinity, '-0': -0 };
  const bytes = (base64) => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0)).buffer;

  const failure = ({ n: name, m: message, s: stack }) => Object.assign(new Error(message), { name, stack });

  // Objects that refer to themselves are known by number before their members are read.
  const containers = {
    a: (known, all, read) => { for (const each of all) known.push(read(each)); },
    o: (known, all, read) => {
      for (const { k, v } of all) {
        Object.defineProperty(known, k, { value: read(v), enumerable: true, writable: true, configurable: true });
      }
    },
    m: (known, all, read) => { for (const { k, v } of all) known.set(read(k), read(v)); },
    s: (known, all, read) => { for (const each of all) known.add(read(each)); },
  };
  const empty = { a: () => [], o: () => ({}), m: () => new Map(), s: () => new Set() };

  const decode = (encoded, seen = new Map()) => {
    if (typeof encoded !== 'object' || encoded === null) return encoded;
    if ('ref' in encoded) return seen.get(encoded.ref);
    if ('v' in encoded) return SPECIAL[encoded.v];
    if ('d' in encoded) return new Date(encoded.d);
    if ('u' in encoded) return new URL(encoded.u);
    if ('bi' in encoded) return BigInt(encoded.bi);
    if ('e' in encoded) return failure(encoded.e);
    if ('r' in encoded) return new RegExp(encoded.r.p, encoded.r.f);
    if ('ta' in encoded) return new ARRAYS[encoded.ta.k](bytes(encoded.ta.b));
    if ('ab' in encoded) return bytes(encoded.ab.b);
    const kind = Object.keys(containers).find((each) => each in encoded);
    if (kind === undefined) return undefined;
    const known = empty[kind]();
    seen.set(encoded.id, known);
    containers[kind](known, encoded[kind], (each) => decode(each, seen));
    return known;
  };

  const given = (record, name) => (name in record ? record[name] : decode(record[`${name}Encoded`]));
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('the database is in use'));
  });

  const create = (database, { name, keyPath, keyPathArray, autoIncrement, indexes = [] }) => {
    const store = database.createObjectStore(name, { keyPath: keyPathArray ?? keyPath ?? null, autoIncrement });
    for (const index of indexes) {
      const { unique, multiEntry } = index;
      store.createIndex(index.name, index.keyPathArray ?? index.keyPath, { unique, multiEntry });
    }
  };

  const fill = (transaction, { name, records = [] }) => {
    const store = transaction.objectStore(name);
    const takesKeys = store.keyPath === null;
    for (const record of records) {
      const hasKey = 'key' in record || 'keyEncoded' in record;
      if (takesKeys && hasKey) store.put(given(record, 'value'), given(record, 'key'));
      else store.put(given(record, 'value'));
    }
  };

  for (const { name, version, stores = [] } of databases) {
    await done(indexedDB.deleteDatabase(name));
    const opening = indexedDB.open(name, version);
    opening.onupgradeneeded = () => stores.forEach((store) => create(opening.result, store));
    const database = await done(opening);
    if (stores.length > 0) {
      const transaction = database.transaction(stores.map((store) => store.name), 'readwrite');
      stores.forEach((store) => fill(transaction, store));
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
    }
    database.close();
  }
}
