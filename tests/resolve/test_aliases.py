"""Which of the names that one paper lists for one entity are kept as names of it."""

import pytest
from test_resolve import paper, together

from kg.resolve import resolve
from kg.resolve.aliases import may_be_alias
from kg.resolve.forms import form


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("key-value streaming", "BeetleNet"),  # coined
        ("planning the paths of trams", "tram path planning"),
        ("estimation of soil structure", "soil structure estimates"),
        ("portrait blur rendering", "rendered portraits"),
        ("growth of leaf to root", "leaf-to-root growth"),
        ("LS-Garden", "leafy soil in gardens"),
        ("three-field LSR", "three-field leaf spot recognition"),  # a short form that may stand so
        ("LSR-based sorter", "spot-based sorter"),
        ("LSR maps", "leaf spot MAPS recognizer"),  # whose letters the other can give
    ],
)
def test_names_that_agree_are_kept(a, b):
    assert may_be_alias(form(a), form(b))
    assert may_be_alias(form(b), form(a))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("unary leaf network", "pairwise leaf network"),  # one word in place of another
        ("two-frame matching", "three-frame matching"),
        ("detecting soil errors", "generating soil errors"),  # another activity
        ("map validation", "finding weak places"),
        ("global stories", "plain rules"),  # nothing in common
        ("LeafNet-18", "LeafNet-34"),
        ("leaf networks", "deep leaf networks"),
        ("LEAF", "LEAF reward"),  # one with something added
        ("LeafSGD", "LeafADAM"),
        ("GRAVA", "LGRAVA"),  # two coinages
        ("recursive framework", "leafy soil framework"),  # a generic noun in common
        ("interactive pruning", "pruning of young roots"),  # one word of several
        ("detecting leaf spots", "leaf spot detection in long-tailed orchards"),  # says far more
        ("multimodal root search", "root search by reinforced learning"),
        ("leaf-to-root network", "root- to-leaf networks"),  # the way back
        ("multi-field leaf learning", "a new single-field learning of leaves"),  # opposites
        ("offline search of root paths", "online root path searching"),
        ("t-fern families", "fern family distributions"),  # a letter that marks one
        ("LSR-based stem unit network", "LSR-based petal network"),  # the coined word is in both
        ("dim-light LF", "dim-light growth"),  # no short form of what stands there
        ("XYZ data sets", "an orchard picture data set"),
        ("petal-area touch sensors", "LSR-based touch sensors"),
        ("MOPS", "continual LKGC"),  # a short form in each, of other letters
        (
            "differentiable petal networks",
            "differentiable DNNs of logic",
        ),  # known to all: no coinage
    ],
)
def test_names_that_nothing_speaks_for_are_not(a, b):
    assert not may_be_alias(form(a), form(b))
    assert not may_be_alias(form(b), form(a))


def test_a_name_that_is_not_kept_leaves_the_paper_its_entity():
    resolution = resolve({"p": paper(("Method", "unary leaf network", "pairwise leaf network"))})
    (entity,) = resolution.entities
    assert (entity.label, entity.alternatives) == ("unary leaf network", ())
    assert resolution.links == {"p": {"e1": ("Method", entity.key)}}


@pytest.mark.parametrize(("several", "one"), [("GPs", "GPS"), ("MAPs", "MAPS"), ("CSs", "CSS")])
def test_several_of_a_short_form_are_no_other_short_form(several, one):
    assert not together("Method", several, one)
    papers = {"p1": paper(("Method", several)), "p2": paper(("Method", several[:-1]))}
    (entity,) = resolve(papers).entities
    assert [m.rule for m in entity.merges] == ["singular or plural"]


def test_a_prefix_that_stands_alone_belongs_to_the_next_word():
    assert not together("Method", "meta learning algorithm", "learning meta algorithm")
    assert not together("Method", "non local block search", "local non block search")


@pytest.mark.parametrize(
    ("spellings", "label"),
    [
        (["Faces in a Field"] * 3 + ["Face in a Field"] * 2, "Faces in a Field"),
        (["Gated Lantern"] * 3 + ["gated lantern"], "gated lantern"),
        (["gated-lantern"] + ["gated lantern"] * 2, "gated lantern"),
    ],
)
def test_the_label_is_spelt_as_most_papers_do(spellings, label):
    papers = {f"p{n}": paper(("Method", name)) for n, name in enumerate(spellings)}
    (entity,) = resolve(papers).entities
    assert entity.label == label


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("LeafNet-S", "LeafNet-L"), "We train LeafNet-S and LeafNet-L."),
        (("root growth", "leaf growth"), "It models leaf growth as well as root growth."),
        (("soil corpora", "LoamBank"), "We use soil corpora (LoamBank and SiltBank)."),
        (("soil corpora", "LoamBank"), "We use soil corpora such as LoamBank."),
        (("kind gardeners", "GardenBot"), "It helps kind gardeners over the GardenBot."),
    ],
)
def test_names_that_the_text_sets_apart_are_not_names_of_one_thing(names, text):
    (entity,) = resolve({"p": paper(("Method", *names), text=text)}).entities
    assert (entity.label, entity.alternatives) == (names[0], ())


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("leafy soil network", "LSNet"), "We propose a leafy soil network (LSNet)."),
        (("leafy soil network", "LSNet"), "LSNet, a leafy soil network, learns and learns."),
        (("tram planner", "TramBot"), "TramBot is a tram planner and more."),
    ],
)
def test_names_that_the_text_gives_one_thing_are_kept(names, text):
    (entity,) = resolve({"p": paper(("Method", *names), text=text)}).entities
    assert set(names) == {entity.label, *entity.alternatives}


def test_one_thing_has_one_short_form_by_initials():
    wrong = paper(
        ("Method", "Root Parting Network", "RPN", "RotNet"),
        text="The Root Parting Network (RPN) is run on the maps of RotNet.",
    )
    other = paper(("Method", "RotNet"), text="RotNet rotates roots.")
    resolution = resolve({"p": wrong, "q": other})
    names = {e.label: set(e.alternatives) for e in resolution.entities}
    assert "RotNet" in names
    assert "RotNet" not in names["Root Parting Network"]
    alone = paper(("Method", "Rotation Parting Network", "RotNet"), text="Rotation Parting Network")
    (entity,) = resolve({"p": alone}).entities
    assert entity.label in {"RotNet", "Rotation Parting Network"}
    assert entity.alternatives
