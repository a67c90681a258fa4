"""`python -m kg` and the console script `kg`."""

from kg.cli import app


def main() -> None:
    """Run the command line; ends the process with its exit code."""
    app(prog_name="kg")


if __name__ == "__main__":
    main()
