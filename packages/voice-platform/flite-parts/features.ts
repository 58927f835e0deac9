// The features of items, and the decision trees that ask for them.
//
// A path such as `R:mcep_link.parent.name` is taken apart once, not each time that it is followed. A tree keeps what it has asked for in an
// array, not in a list of names. What is found is the same as with flite's own.

@external('flite', 'malloc')
declare function malloc(bytes: usize): usize
@external('flite', 'free')
declare function free(at: usize): void
@external('flite', 'internal_ff')
declare function flitesLookup(item: usize, path: usize, kind: i32): usize
@external('flite', 'cart_interpret')
declare function flitesDecide(item: usize, tree: usize): usize
@external('flite', 'val_equal')
declare function isEqual(value: usize, other: usize): i32
@external('flite', 'val_less')
declare function isLess(value: usize, other: usize): i32
@external('flite', 'val_greater')
declare function isGreater(value: usize, other: usize): i32
@external('flite', 'val_member')
declare function isMember(value: usize, list: usize): i32
@external('flite', 'delete_val')
declare function release(value: usize): void

/** Fields of flite's structures. */
const ITEM_CONTENTS: usize = 0
const ITEM_RELATION: usize = 4
const ITEM_NEXT: usize = 8
const ITEM_PREVIOUS: usize = 12
const ITEM_PARENT: usize = 16
const ITEM_DAUGHTER: usize = 20
const CONTENTS_FEATURES: usize = 0
const CONTENTS_RELATIONS: usize = 4
const RELATION_UTTERANCE: usize = 8
const UTTERANCE_COMPUTED: usize = 4
const FEATURES_HEAD: usize = 0
const FEATURES_LINKED: usize = 12
const PAIR_NAME: usize = 0
const PAIR_VALUE: usize = 4
const PAIR_NEXT: usize = 8
const VALUE_TYPE: usize = 0
const VALUE_REFERENCES: usize = 2
const VALUE_ITSELF: usize = 4
const TREE_NODES: usize = 0
const TREE_FEATURES: usize = 4
const NODE_FEATURE: usize = 0
const NODE_TEST: usize = 1
const NODE_NO: usize = 2
const NODE_VALUE: usize = 4
const NODE_BYTES: usize = 8

const TYPE_INT: u32 = 1
const TYPE_STRING: u32 = 5
/** References to a value that is never freed. */
const CONSTANT: u32 = 0xffff

const TEST_IS: u32 = 0
const TEST_IN: u32 = 1
const TEST_LESS: u32 = 2
const TEST_GREATER: u32 = 3
const LEAF: u32 = 255

/** Steps of a path. Any other number is the address of a relation's name. */
const STEP_NEXT: usize = 1
const STEP_PREVIOUS: usize = 2
const STEP_SECOND_NEXT: usize = 3
const STEP_SECOND_PREVIOUS: usize = 4
const STEP_PARENT: usize = 5
const STEP_DAUGHTER: usize = 6
const STEP_LAST_DAUGHTER: usize = 7
const STEP_FIRST: usize = 8
const STEP_LAST: usize = 9
/** The word before a relation's name: R. */
const RELATION: u64 = 0x52

/** A plan: a path that was taken apart. Behind these fields stand the path's text, its words, each ended by 0, and its steps. */
const PLAN_PATH: usize = 0
const PLAN_BYTES: usize = 4
const PLAN_NAME: usize = 8
const PLAN_STEPS: usize = 12
const PLAN_END: usize = 16
/** The place of the function that computes the feature, 0 where there is none, and for which features with functions this is true. */
const PLAN_FUNCTION: usize = 20
const PLAN_COMPUTED: usize = 24
const PLAN_COMPUTED_HEAD: usize = 28
const PLAN_LINKED: usize = 32
const PLAN_LINKED_HEAD: usize = 36
const PLAN_TEXT: usize = 40

/** Longer paths are left to flite, which cuts them. With the 0 at the end. */
const LONGEST_PATH: usize = 199
/** Places for plans, as a power of two. Of two paths with one place, the later one has it. */
const PLACES_POWER: u32 = 10
/** A node's feature is a byte. */
const FEATURES: usize = 256

/** What flite answers where there is no value; 0 before the first such answer. */
let none: usize = 0
/** The plans; 0 before the first one. */
let plans: usize = 0
/** Of each feature of a tree: the number of the decision that has asked for it, and what it was. */
let answers: usize = 0
/** The features that a decision has asked for. */
let asked: usize = 0
let decisions: u64 = 0
let isDeciding: bool = false

/** Takes the place of `internal_ff`: the value of the feature at the end of a path. With a kind of 1: the item. */
export function lookup(item: usize, path: usize, kind: i32): usize {
  const plan: usize = kind ? <usize>0 : planOf(path)
  if (!plan) return flitesLookup(item, path, kind)
  let here = item
  const end = load<usize>(plan, PLAN_END)
  for (let step = load<usize>(plan, PLAN_STEPS); here && step < end; step += 4)
    here = moved(here, load<usize>(step))
  if (!here) return nothing(path)
  // A function of AssemblyScript is the address of its place in the table of functions.
  const value = isComputed(plan, here)
    ? changetype<(item: usize) => usize>(plan + PLAN_FUNCTION)(here)
    : valueOf(load<usize>(load<usize>(here, ITEM_CONTENTS), CONTENTS_FEATURES), load<usize>(plan, PLAN_NAME))
  return value ? value : nothing(path)
}

/** Takes the place of `cart_interpret`: the value of the leaf that the answers lead to. */
export function decide(item: usize, tree: usize): usize {
  // One that is asked for by a feature of another one.
  if (isDeciding) return flitesDecide(item, tree)
  if (!answers) {
    answers = malloc(FEATURES * 16)
    memory.fill(answers, 0, FEATURES * 16)
    asked = malloc(FEATURES)
  }
  isDeciding = true
  decisions += 1
  const nodes = load<usize>(tree, TREE_NODES)
  let node = nodes
  let askedEnd = asked
  let leaf: usize = 0
  while (true) {
    const test = <u32>load<u8>(node, NODE_TEST)
    if (test == LEAF) {
      leaf = load<usize>(node, NODE_VALUE)
      break
    }
    // What only regular expressions decide is flite's.
    if (test > TEST_GREATER) break
    const feature = load<u8>(node, NODE_FEATURE)
    const answer = answers + (<usize>feature << 4)
    let value: usize
    if (load<u64>(answer) == decisions) value = load<usize>(answer, 8)
    else {
      value = lookup(item, load<usize>(load<usize>(tree, TREE_FEATURES) + (<usize>feature << 2)), 0)
      hold(value)
      store<u64>(answer, decisions)
      store<usize>(answer, value, 8)
      store<u8>(askedEnd, feature)
      askedEnd += 1
    }
    const isSo = passes(test, value, load<usize>(node, NODE_VALUE))
    node = isSo ? node + NODE_BYTES : nodes + <usize>load<u16>(node, NODE_NO) * NODE_BYTES
  }
  for (let at = asked; at < askedEnd; at += 1) {
    const value = load<usize>(answers + (<usize>load<u8>(at) << 4), 8)
    if (load<u16>(value, VALUE_REFERENCES) != CONSTANT) release(value)
  }
  isDeciding = false
  return leaf ? leaf : flitesDecide(item, tree)
}

/** A value that was made for the asker is freed with its last reference. Lists are not counted. */
function hold(value: usize): void {
  const references = <u32>load<u16>(value, VALUE_REFERENCES)
  if (references != CONSTANT && load<u16>(value, VALUE_TYPE) & 1) store<u16>(value, references + 1, VALUE_REFERENCES)
}

function passes(test: u32, value: usize, other: usize): bool {
  if (test == TEST_IS) {
    if (value == other) return true
    const type = <u32>load<u16>(value, VALUE_TYPE)
    if (type != load<u16>(other, VALUE_TYPE)) return false
    if (type == TYPE_STRING) return isSameText(load<usize>(value, VALUE_ITSELF), load<usize>(other, VALUE_ITSELF))
    if (type == TYPE_INT) return load<i32>(value, VALUE_ITSELF) == load<i32>(other, VALUE_ITSELF)
    return isEqual(value, other) != 0
  }
  if (test == TEST_IN) return isMember(value, other) != 0
  return (test == TEST_LESS ? isLess(value, other) : isGreater(value, other)) != 0
}

function nothing(path: usize): usize {
  if (!none) none = flitesLookup(0, path, 0)
  return none
}

/** One step from an item; 0 where nothing is there. */
function moved(item: usize, step: usize): usize {
  if (step == STEP_PARENT) return load<usize>(first(item), ITEM_PARENT)
  if (step == STEP_NEXT) return load<usize>(item, ITEM_NEXT)
  if (step == STEP_PREVIOUS) return load<usize>(item, ITEM_PREVIOUS)
  if (step == STEP_SECOND_NEXT) {
    const next = load<usize>(item, ITEM_NEXT)
    return next ? load<usize>(next, ITEM_NEXT) : 0
  }
  if (step == STEP_SECOND_PREVIOUS) {
    const previous = load<usize>(item, ITEM_PREVIOUS)
    return previous ? load<usize>(previous, ITEM_PREVIOUS) : 0
  }
  if (step == STEP_DAUGHTER) return load<usize>(item, ITEM_DAUGHTER)
  if (step == STEP_LAST_DAUGHTER) {
    const daughter = load<usize>(item, ITEM_DAUGHTER)
    return daughter ? last(daughter) : 0
  }
  if (step == STEP_FIRST) return first(item)
  if (step == STEP_LAST) return last(item)
  const other = valueOf(load<usize>(load<usize>(item, ITEM_CONTENTS), CONTENTS_RELATIONS), step)
  return other ? load<usize>(other, VALUE_ITSELF) : 0
}

function first(item: usize): usize {
  for (let previous = load<usize>(item, ITEM_PREVIOUS); previous; previous = load<usize>(item, ITEM_PREVIOUS))
    item = previous
  return item
}

function last(item: usize): usize {
  for (let next = load<usize>(item, ITEM_NEXT); next; next = load<usize>(item, ITEM_NEXT)) item = next
  return item
}

/** Of a list of features, and of those that are linked to it: 0 where none has the name. */
function valueOf(features: usize, name: usize): usize {
  for (; features; features = load<usize>(features, FEATURES_LINKED))
    for (let pair = load<usize>(features, FEATURES_HEAD); pair; pair = load<usize>(pair, PAIR_NEXT))
      if (isSameText(load<usize>(pair, PAIR_NAME), name)) return load<usize>(pair, PAIR_VALUE)
  return 0
}

/** Whether a function computes the feature. Known while the utterance has the same features with functions. */
function isComputed(plan: usize, item: usize): bool {
  const relation = load<usize>(item, ITEM_RELATION)
  const utterance = relation ? load<usize>(relation, RELATION_UTTERANCE) : 0
  const computed = utterance ? load<usize>(utterance, UTTERANCE_COMPUTED) : 0
  if (!computed) return false
  const head = load<usize>(computed, FEATURES_HEAD)
  const linked = load<usize>(computed, FEATURES_LINKED)
  const linkedHead = linked ? load<usize>(linked, FEATURES_HEAD) : 0
  if (
    load<usize>(plan, PLAN_COMPUTED) != computed ||
    load<usize>(plan, PLAN_COMPUTED_HEAD) != head ||
    load<usize>(plan, PLAN_LINKED) != linked ||
    load<usize>(plan, PLAN_LINKED_HEAD) != linkedHead
  ) {
    const value = valueOf(computed, load<usize>(plan, PLAN_NAME))
    store<usize>(plan, value ? load<usize>(value, VALUE_ITSELF) : 0, PLAN_FUNCTION)
    store<usize>(plan, computed, PLAN_COMPUTED)
    store<usize>(plan, head, PLAN_COMPUTED_HEAD)
    store<usize>(plan, linked, PLAN_LINKED)
    store<usize>(plan, linkedHead, PLAN_LINKED_HEAD)
  }
  return load<usize>(plan, PLAN_FUNCTION) != 0
}

/** Of a path, by its address and its text; 0 where flite must follow it. */
function planOf(path: usize): usize {
  if (!plans) {
    plans = malloc(<usize>4 << PLACES_POWER)
    memory.fill(plans, 0, <usize>4 << PLACES_POWER)
  }
  const place = plans + (<usize>((<u32>path * 0x9e3779b1) >>> (32 - PLACES_POWER)) << 2)
  const plan = load<usize>(place)
  if (plan) {
    if (load<usize>(plan, PLAN_PATH) == path && isTextOf(plan, path)) return plan
    free(plan)
  }
  const made = newPlan(path)
  store<usize>(place, made)
  return made
}

/** Whether a path still has the text that a plan was made of. */
function isTextOf(plan: usize, path: usize): bool {
  const bytes = load<usize>(plan, PLAN_BYTES)
  const text = plan + PLAN_TEXT
  let at: usize = 0
  for (; at + 8 <= bytes; at += 8) if (load<u64>(text + at) != load<u64>(path + at)) return false
  for (; at < bytes; at += 1) if (load<u8>(text + at) != load<u8>(path + at)) return false
  return true
}

/** 0 where the path is too long, or has a step that does not exist. The caller frees it. */
function newPlan(path: usize): usize {
  let bytes: usize = 1
  for (; load<u8>(path + bytes - 1); bytes += 1) if (bytes == LONGEST_PATH) return 0
  const room = (bytes + 7) & ~7
  // A step at most for each character.
  const plan = malloc(PLAN_TEXT + room * 2 + bytes * 4)
  memory.fill(plan, 0, PLAN_TEXT)
  store<usize>(plan, path, PLAN_PATH)
  store<usize>(plan, bytes, PLAN_BYTES)
  memory.copy(plan + PLAN_TEXT, path, bytes)
  let word = plan + PLAN_TEXT + room
  let step = word + room
  store<usize>(plan, step, PLAN_STEPS)
  memory.copy(word, path, bytes)
  const end = word + bytes - 1
  let isRelation = false
  for (let at = word; at < end; at += 1) {
    const letter = load<u8>(at)
    if (letter != 0x2e && letter != 0x3a) continue
    store<u8>(at, 0)
    if (isRelation) {
      store<usize>(step, word)
      step += 4
      isRelation = false
    } else if (lettersOf(word) == RELATION) isRelation = true
    else {
      const known = stepNamed(word)
      if (!known) {
        free(plan)
        return 0
      }
      store<usize>(step, known)
      step += 4
    }
    word = at + 1
  }
  if (isRelation) {
    free(plan)
    return 0
  }
  store<usize>(plan, step, PLAN_END)
  store<usize>(plan, word, PLAN_NAME)
  return plan
}

/** Of a word by its first eight letters, the first in the lowest byte; 0 where there is none. */
function stepNamed(word: usize): usize {
  const letters = lettersOf(word)
  if (letters == 0x6e) return STEP_NEXT // n
  if (letters == 0x70) return STEP_PREVIOUS // p
  if (letters == 0x6e6e) return STEP_SECOND_NEXT // nn
  if (letters == 0x7070) return STEP_SECOND_PREVIOUS // pp
  if (letters == 0x746e65726170) return STEP_PARENT // parent
  if (letters == 0x7473726966) return STEP_FIRST // first
  if (letters == 0x7473616c) return STEP_LAST // last
  if (letters != 0x7265746867756164) return 0 // daughter, daughter1, daughtern
  const ninth = load<u8>(word, 8)
  if (!ninth) return STEP_DAUGHTER
  if (load<u8>(word, 9)) return 0
  return ninth == 0x31 ? STEP_DAUGHTER : ninth == 0x6e ? STEP_LAST_DAUGHTER : 0
}

function lettersOf(word: usize): u64 {
  let letters: u64 = 0
  for (let n: u64 = 0; n < 8; n += 1) {
    const letter = <u64>load<u8>(word + <usize>n)
    if (!letter) break
    letters |= letter << (n << 3)
  }
  return letters
}

function isSameText(text: usize, other: usize): bool {
  if (text == other) return true
  while (true) {
    const letter = load<u8>(text)
    if (letter != load<u8>(other)) return false
    if (!letter) return true
    text += 1
    other += 1
  }
}
